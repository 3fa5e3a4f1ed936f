"""The first boot of the instances of a cluster group: nodeadm's configuration, and the LNC."""

from __future__ import annotations

from neuron_cluster.bootstrap.build_node_config import build_node_config
from neuron_cluster.catalog.ami_type import AmiType
from neuron_cluster.catalog.catalog import Catalog
from neuron_cluster.plan.compute_group_plan import BootstrapPlan
from neuron_cluster.plan.machine_plan import MachinePlan
from neuron_cluster.planning.build_lnc_shell import build_lnc_shell
from neuron_cluster.resolved.compute_group import ClusterGroup


def build_bootstrap(
    group: ClusterGroup,
    machine: MachinePlan,
    ami_type: AmiType,
    catalog: Catalog,
    *,
    pulls_in_parallel: bool = False,
) -> BootstrapPlan:
    has_efa = group.has_efa and ami_type.has_nodeadm
    config = build_node_config(
        catalog,
        joins_disks=machine.local_disks is not None,
        has_efa=has_efa,
        pulls_in_parallel=pulls_in_parallel,
    )
    return BootstrapPlan(build_lnc_shell(group, machine), config)
