"""Interfaces of an instance: each free, in its zone, at its own place, with its own groups; free when it stays."""

from __future__ import annotations

import copy
from collections.abc import Mapping
from typing import Any

from moto.ec2.models.elastic_network_interfaces import Attachment, NetworkInterface
from moto.ec2.models.instances import Instance
from moto.ec2.responses.elastic_network_interfaces import ElasticNetworkInterfaces

from local_aws.api_errors import api_error
from local_aws.contract import Call
from local_aws.launch import EFA_ONLY
from local_aws.registry import guard
from local_aws.services.overrides import override

IN_USE, ENDED = "in-use", "terminated"
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
    primary = instance.nics.get(0)
    if primary is not None:  # of an interface that it was given, moto does not read the place
        instance._subnet_id = primary.subnet.id  # noqa: SLF001 - moto's own place of it
        instance.placement.zone = primary.subnet.availability_zone


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


@guard("ec2", "AttachNetworkInterface")
def require_place(call: Call) -> None:
    """The interface is free, in the zone of the instance, and nothing has its place there."""
    backend = call.moto_backend("ec2")
    interface = backend.get_network_interface(call.parameters["NetworkInterfaceId"])
    instance = backend.get_instance(call.parameters["InstanceId"])
    require_free(interface)
    if interface.subnet.availability_zone != instance.placement.zone:
        raise api_error("ec2.interface_zone")
    if place(call.parameters) in instance.nics:
        index = call.parameters["DeviceIndex"]
        raise api_error("ec2.device_index_taken", instance=instance.id, index=index)


def require_free(interface: Any) -> None:
    """Nothing has it."""
    if interface.status == IN_USE:
        raise api_error("ec2.interface_attached", interface=interface.id)


@override(ElasticNetworkInterfaces, "attach_network_interface")
def attach_network_interface(original: Any, response: Any) -> Any:
    """moto reads no network card."""
    asked = response.params
    response.params = {**asked, "DeviceIndex": place(asked)}
    interface = response.ec2_backend.get_network_interface(asked["NetworkInterfaceId"])
    interface.network_card_index = int(asked.get("NetworkCardIndex") or 0)
    answer = original()
    interface.device_index = int(asked["DeviceIndex"])
    return answer


@override(Instance, "terminate")
def terminate(original: Any, instance: Any) -> Any:
    """An interface that does not go with its instance is free again; moto keeps it in use for ever.

    What has ended can be ended again, and nothing happens:
    https://docs.aws.amazon.com/AWSEC2/latest/APIReference/API_TerminateInstances.html
    """
    if instance.state == ENDED:
        return copy.copy(instance.instance_state)
    answer = original()
    for key, interface in list(instance.nics.items()):
        if instance.ec2_backend.enis.get(interface.id) is interface:
            reported = copy.copy(interface)
            instance.detach_eni(interface)
            instance.nics[key] = reported  # an instance that has ended tells its addresses for a while
    return answer


@override(Attachment, "__init__")
def attachment(original: Any, attached: Any, interface: Any) -> None:
    original(interface)
    attached.network_card_index = getattr(interface, "network_card_index", 0)


@override(Instance, "detach_eni")
def detach_eni(original: Any, instance: Any, interface: Any) -> None:
    """Detaches by the interface itself: on another card another interface has its device index."""
    instance.nics = {key: each for key, each in instance.nics.items() if each is not interface}
    interface.device_index = None
    original(interface)


def _groups(instance: Any) -> list[Any]:
    """An instance's groups are those of its primary interface, whichever of the two they were given to."""
    primary = getattr(instance, "nics", {}).get(0)
    return list(primary.group_set) if primary is not None else list(instance.given_groups)


def _set_groups(instance: Any, groups: list[Any]) -> None:
    instance.given_groups = groups
    primary = getattr(instance, "nics", {}).get(0)
    if primary is not None:
        primary._group_set = list(groups)  # noqa: SLF001 - moto's own place of them


Instance.security_groups = property(_groups, _set_groups)  # type: ignore[assignment]  # moto sets a list
# moto gives every interface the groups of its instance, too.
NetworkInterface.group_set = property(lambda interface: list(interface._group_set))  # type: ignore[method-assign, assignment]  # noqa: SLF001 - as above
