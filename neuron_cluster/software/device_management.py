"""How pods get Neuron devices: device plugin or DRA driver, and with which detector of broken ones."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from neuron_cluster.config.eks import Addons
from neuron_cluster.plan.addon_plan import DeviceManagementPlan
from neuron_cluster.plan.cluster_plan import NodeGroupPlan


class NeuronSoftware(Struct, frozen=True):
    """Which parts of the Neuron chart the cluster gets."""

    device_plugin: bool
    dra_driver: bool
    detector: bool


def neuron_software(wish: Addons, *, has_neuron: bool) -> NeuronSoftware:
    """The switches with their defaults. That plugin and driver are not both asked for, a rule has seen to.

    The plugin is the default: it works with every Kubernetes version, AMI and chip, which the driver does not
    (https://docs.aws.amazon.com/eks/latest/userguide/device-management-neuron.html).
    """
    driver = wish.neuron_dra_driver
    plugin = has_neuron and not driver if wish.neuron_device_plugin is None else wish.neuron_device_plugin
    detector = wish.neuron_node_problem_detector
    return NeuronSoftware(plugin, driver, plugin or driver if detector is None else detector)


def device_management_for(wish: Addons, node_groups: Sequence[NodeGroupPlan]) -> DeviceManagementPlan:
    """What hands out the devices, and why it is that."""
    has_neuron = any(group.machine.is_neuron for group in node_groups)
    software = neuron_software(wish, has_neuron=has_neuron)
    ways = {"dra": software.dra_driver, "device_plugin": software.device_plugin}
    return DeviceManagementPlan(
        path=("eks", "addons", "neuron_dra_driver" if software.dra_driver else "neuron_device_plugin"),
        ways=tuple(way for way, is_on in ways.items() if is_on),
        reason=_reason(wish, software, has_neuron=has_neuron),
    )


def _reason(wish: Addons, software: NeuronSoftware, *, has_neuron: bool) -> str:
    if software.dra_driver:
        return "neuron_dra_driver is true, and takes the place of the device plugin"
    if wish.neuron_device_plugin is not None:
        return f"neuron_device_plugin is {str(wish.neuron_device_plugin).lower()}"
    if has_neuron:
        return "there is a Neuron node group, and neuron_dra_driver is not on"
    return "no node group has Neuron devices"
