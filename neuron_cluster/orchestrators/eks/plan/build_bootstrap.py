"""What the instances of a cluster group run at first boot: nodeadm's configuration, and the LNC."""

from __future__ import annotations

from neuron_cluster.bootstrap.build_node_config import build_node_config
from neuron_cluster.catalog.ami_type import AmiType
from neuron_cluster.catalog.catalog import Catalog
from neuron_cluster.plan.compute_group_plan import BootstrapPlan
from neuron_cluster.plan.machine_plan import MachinePlan
from neuron_cluster.planning.build_machine import known_instance_type
from neuron_cluster.resolved.compute_group import ClusterGroup

LNC_FILE = "/opt/aws/neuron/logical_nc_config"
"""Read by the Neuron runtime and the device plugin; source: aws-neuron/aws-neuron-sdk, deploy/eks/prerequisites.rst."""


def build_bootstrap(
    group: ClusterGroup,
    machine: MachinePlan,
    ami_type: AmiType,
    catalog: Catalog,
    *,
    pulls_in_parallel: bool = False,
) -> BootstrapPlan:
    """The LNC is written only where it is not the one that the chip has without it."""
    lnc = machine.logical_nc_config
    writes_lnc = lnc != known_instance_type(group).default_logical_nc_config
    shell = f"mkdir -p /opt/aws/neuron\necho NEURON_LOGICAL_NC_CONFIG={lnc} > {LNC_FILE}\n" if writes_lnc else None
    has_efa = group.has_efa and ami_type.has_nodeadm
    config = build_node_config(
        catalog,
        joins_disks=machine.local_disks is not None,
        has_efa=has_efa,
        pulls_in_parallel=pulls_in_parallel,
    )
    return BootstrapPlan(shell, config)
