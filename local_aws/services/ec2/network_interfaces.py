"""Network interfaces and Elastic IP addresses: known groups, free addresses, no deletion while in use."""

from __future__ import annotations

import inspect
import ipaddress
from collections.abc import Iterable
from typing import Any

from moto.ec2.models import instances, nat_gateways, vpcs
from moto.ec2.models.elastic_ip_addresses import ElasticAddressBackend
from moto.ec2.models.elastic_network_interfaces import NetworkInterfaceBackend
from moto.ec2.models.subnets import Subnet
from moto.ec2.responses.elastic_network_interfaces import ElasticNetworkInterfaces

from local_aws.api_errors import api_error
from local_aws.contract import Call, call_of
from local_aws.registry import guard
from local_aws.running_capacity import undescribed_addresses
from local_aws.services.overrides import override

RESERVED_AT_START = 4
"""https://docs.aws.amazon.com/vpc/latest/userguide/subnet-sizing.html."""


@override(NetworkInterfaceBackend, "create_network_interface")
def create_network_interface(original: Any, backend: Any, *args: Any, **kwargs: Any) -> Any:
    """moto makes a group that it does not know, and takes any address, taken or not; EC2 refuses both."""
    wanted = inspect.signature(original).bind(*args, **kwargs).arguments
    wanted.update(wanted.pop("kwargs", {}))
    subnet = wanted["subnet"] if not isinstance(wanted["subnet"], str) else backend.get_subnet(wanted["subnet"])
    _require_groups(backend, subnet, wanted.get("group_ids") or [])
    asked = [each["PrivateIpAddress"] for each in wanted.get("private_ip_addresses") or []]
    for address in filter(None, [wanted.get("private_ip_address"), *asked]):
        _require_free_address(backend, subnet, address)
    if not wanted.get("private_ip_address") and not asked:
        wanted["private_ip_address"] = _free_address(backend, subnet)
    return original(**{**wanted, "subnet": subnet})


@guard("ec2", "ModifyNetworkInterfaceAttribute", "ModifyInstanceAttribute")
def require_groups(call: Call) -> None:
    """Checks groups; those of an instance are those of its first interface, in the VPC of all."""
    backend, given = call.moto_backend("ec2"), call.parameters
    if "NetworkInterfaceId" in given:
        interface = backend.get_network_interface(given["NetworkInterfaceId"])
    else:
        interface = next(iter(backend.get_instance(given["InstanceId"]).nics.values()))
    _require_groups(backend, interface.subnet, given.get("Groups", []))


def _require_groups(backend: Any, subnet: Any, group_ids: Iterable[str]) -> None:
    """They are there, and in the VPC of the subnet."""
    for group_id in group_ids:
        group = backend.get_security_group_from_id(group_id)
        if group is None:
            raise api_error("ec2.no_group", name=group_id)
        if group.vpc_id != subnet.vpc_id:
            raise api_error("ec2.different_networks")


def _address_of_the_subnet() -> None:
    """No wish: moto gives an address from anywhere, which EC2 refuses, to some interfaces and to NAT gateways."""


for _module in (instances, nat_gateways, vpcs):
    vars(_module)["random_private_ip"] = _address_of_the_subnet


@override(Subnet, "get_available_subnet_ip")
def get_available_subnet_ip(_original: Any, subnet: Any, instance: Any) -> str:
    address = _free_address(subnet.ec2_backend, subnet)
    subnet._subnet_ips[address] = instance  # noqa: SLF001 - moto's table, from which it takes the address off again
    return address


@override(Subnet, "request_ip")
def request_ip(_original: Any, subnet: Any, address: str, instance: Any) -> None:
    """moto refuses in words of its own, which no caller can read."""
    _require_free_address(subnet.ec2_backend, subnet, address)
    subnet._subnet_ips[address] = instance  # noqa: SLF001 - as above


def _taken(backend: Any, subnet: Any) -> set[str]:
    interfaces = (interface for interface in backend.enis.values() if interface.subnet.id == subnet.id)
    return {address["PrivateIpAddress"] for interface in interfaces for address in interface.private_ip_addresses}


def free_addresses(backend: Any, subnet: Any) -> int:
    """How many neither an interface nor an undescribed instance has; EC2 keeps the first four and the last one."""
    usable: int = subnet.cidr.num_addresses - RESERVED_AT_START - 1
    return usable - len(_taken(backend, subnet)) - _undescribed(subnet)


def _undescribed(subnet: Any) -> int:
    return undescribed_addresses(call_of(subnet.ec2_backend, "ec2", "DescribeSubnets"), subnet.id)


def _available(subnet: Any) -> int:
    found: int = _addresses_of_moto(subnet)
    return found - _undescribed(subnet)


_addresses_of_moto: Any = vars(Subnet)["available_ip_address_count"].fget
# The name is moto's property, which is asked for by DescribeSubnets.
Subnet.available_ip_address_count = property(_available)  # type: ignore[method-assign, assignment]


def _require_free_address(backend: Any, subnet: Any, address: str) -> None:
    try:
        place = int(ipaddress.IPv4Address(address)) - int(subnet.cidr.network_address)
    except ValueError:
        raise api_error("ec2.not_an_address", address=address) from None
    if not 0 <= place < subnet.cidr.num_addresses:
        raise api_error("ec2.address_outside_subnet", address=address)
    if not RESERVED_AT_START <= place < subnet.cidr.num_addresses - 1:
        raise api_error("ec2.address_reserved", address=address)
    if address in _taken(backend, subnet):
        raise api_error("ec2.address_in_use", address=address)


def _free_address(backend: Any, subnet: Any) -> str:
    """The lowest free one. EC2 keeps the first four addresses of a subnet and the last one for itself."""
    taken, usable = _taken(backend, subnet), range(RESERVED_AT_START, subnet.cidr.num_addresses - 1)
    if len(taken) + _undescribed(subnet) < len(usable):
        return next(address for address in (str(subnet.cidr[each]) for each in usable) if address not in taken)
    raise api_error("ec2.no_free_address", subnet_id=subnet.id)


@override(ElasticNetworkInterfaces, "delete_network_interface")
def delete_network_interface(original: Any, response: Any) -> Any:
    eni_id = response._get_param("NetworkInterfaceId")  # noqa: SLF001 - moto's own way to read a request
    interface = response.ec2_backend.enis.get(eni_id)
    if interface is not None and (interface.attachment_id or interface.requester_managed):
        raise api_error("ec2.interface_in_use", eni_id=eni_id)
    return original()


@override(ElasticAddressBackend, "release_address")
def release_address(original: Any, backend: Any, address: str | None = None, allocation_id: str | None = None) -> Any:
    """In a VPC an address is first taken off its interface."""
    found = backend.address_by_ip([address]) if address else backend.address_by_allocation([allocation_id])
    if found[0].eni is not None:
        raise api_error("ec2.address_in_use", address=found[0].public_ip)
    return original(address=address, allocation_id=allocation_id)
