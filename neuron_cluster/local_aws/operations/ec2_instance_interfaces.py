"""Interfaces of an instance: each on its network card, and without an address where they are ``efa-only``."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from moto.ec2.models.elastic_network_interfaces import Attachment
from moto.ec2.models.instances import Instance

from neuron_cluster.local_aws.operations.overrides import override

EFA_ONLY = "efa-only"
DEVICES_OF_A_CARD = 1000
"""More than any card takes. moto knows an interface of an instance by its device index alone."""


def place(specification: Mapping[str, Any]) -> int:
    """One number for network card and device; for card 0 the device index itself, as moto has it."""
    card = int(specification.get("NetworkCardIndex") or 0)
    return card * DEVICES_OF_A_CARD + int(specification["DeviceIndex"])


@override(Instance, "prep_nics")
def prep_nics(original: Any, instance: Any, nic_spec: list[dict[str, Any]], *args: Any, **kwargs: Any) -> None:
    """moto puts all interfaces on card 0, where the last of one device index wins, and gives each an address."""
    with_address = [each for each in nic_spec if each.get("InterfaceType") != EFA_ONLY]
    original([{**each, "DeviceIndex": place(each)} for each in with_address], *args, **kwargs)
    for specification in nic_spec:
        if specification.get("InterfaceType") == EFA_ONLY:
            _attach_without_address(instance, specification)
        interface = instance.nics[place(specification)]
        interface.interface_type = specification.get("InterfaceType") or "interface"
        interface.network_card_index = specification.get("NetworkCardIndex") or 0
        interface.device_index = int(specification["DeviceIndex"])


def _attach_without_address(instance: Any, specification: Mapping[str, Any]) -> None:
    interface = instance.ec2_backend.create_network_interface(
        specification.get("SubnetId") or instance.subnet_id,
        None,
        device_index=place(specification),
        group_ids=list(specification.get("Groups") or []),
        description=specification.get("Description"),
    )
    interface.private_ip_address, interface.private_ip_addresses = None, []
    instance.attach_eni(interface, place(specification))


@override(Attachment, "__init__")
def attachment(original: Any, attached: Any, interface: Any) -> None:
    original(interface)
    attached.network_card_index = getattr(interface, "network_card_index", 0)


@override(Instance, "detach_eni")
def detach_eni(original: Any, instance: Any, interface: Any) -> None:
    """By the interface itself: on another card its device index is another's."""
    instance.nics = {key: each for key, each in instance.nics.items() if each is not interface}
    interface.device_index = None
    original(interface)
