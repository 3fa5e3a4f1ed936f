"""How pods get Neuron devices: device plugin or DRA driver, and with which detector of broken ones."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from neuron_cluster.config.source_map import KeyPath
from neuron_cluster.plan.addon_plan import DeviceManagementPlan
from neuron_cluster.plan.node_group_plan import NodeGroupPlan
from neuron_cluster.schedulers.kubernetes.software.component_flags import ComponentFlags


class NeuronSoftware(Struct, frozen=True):
    """Which parts of the Neuron chart the cluster gets."""

    device_plugin: bool
    dra_driver: bool
    detector: bool


def neuron_software(flags: ComponentFlags, *, has_neuron: bool) -> NeuronSoftware:
    """The flags with their defaults. Rule E5029 rejects plugin and driver together.

    The plugin is the default: it works with every Kubernetes version, AMI and chip, which the driver does not
    (https://docs.aws.amazon.com/eks/latest/userguide/device-management-neuron.html).
    """
    driver = bool(flags["neuron_dra_driver"])
    given, detector = flags["neuron_device_plugin"], flags["neuron_node_problem_detector"]
    plugin = has_neuron and not driver if given is None else given
    return NeuronSoftware(plugin, driver, plugin or driver if detector is None else detector)


def device_management_for(
    flags: ComponentFlags, node_groups: Sequence[NodeGroupPlan], addons_path: KeyPath
) -> DeviceManagementPlan:
    """Returns the driver or plugin that allocates the devices, and the reason."""
    has_neuron = any(group.machine.is_neuron for group in node_groups)
    software = neuron_software(flags, has_neuron=has_neuron)
    ways = {"dra": software.dra_driver, "device_plugin": software.device_plugin}
    return DeviceManagementPlan(
        path=(*addons_path, "neuron_dra_driver" if software.dra_driver else "neuron_device_plugin"),
        ways=tuple(way for way, is_on in ways.items() if is_on),
        reason=_reason(flags, software, has_neuron=has_neuron),
    )


def _reason(flags: ComponentFlags, software: NeuronSoftware, *, has_neuron: bool) -> str:
    if software.dra_driver:
        return "neuron_dra_driver is true, and takes the place of the device plugin"
    if (given := flags["neuron_device_plugin"]) is not None:
        return f"neuron_device_plugin is {str(given).lower()}"
    if has_neuron:
        return "there is a Neuron node group, and neuron_dra_driver is not on"
    return "no node group has Neuron devices"
