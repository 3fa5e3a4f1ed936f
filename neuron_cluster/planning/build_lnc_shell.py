"""The shell that sets the LNC of an instance at its first boot."""

from __future__ import annotations

from neuron_cluster.plan.machine_plan import MachinePlan
from neuron_cluster.planning.build_machine import known_instance_type
from neuron_cluster.resolved.compute_group import ClusterGroup

LNC_FILE = "/opt/aws/neuron/logical_nc_config"
"""Read by the Neuron runtime and the device plugin; source: aws-neuron/aws-neuron-sdk, deploy/eks/prerequisites.rst."""


def build_lnc_shell(group: ClusterGroup, machine: MachinePlan) -> str | None:
    """None where the chip has this LNC without it."""
    lnc = machine.logical_nc_config
    if lnc == known_instance_type(group).default_logical_nc_config:
        return None
    return f"mkdir -p /opt/aws/neuron\necho NEURON_LOGICAL_NC_CONFIG={lnc} > {LNC_FILE}\n"
