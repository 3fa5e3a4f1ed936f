"""Interfaces of a launch: free ones, all in one zone, with groups of their VPC."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from local_aws.api_errors import api_error
from local_aws.contract import Call
from local_aws.launch import launch_data
from local_aws.registry import guard
from local_aws.services.ec2.instance_interfaces import require_free
from local_aws.services.ec2.instance_types import supports_efa
from local_aws.services.ec2.launches import is_repeated

Specifications = Sequence[Mapping[str, Any]]


@guard("ec2", "RunInstances")
def require_interfaces(call: Call) -> None:
    if is_repeated(call):
        return
    data, backend = launch_data(call), call.moto_backend("ec2")
    given = data.get("NetworkInterfaces", [])
    if given and (data.get("SecurityGroupIds") or data.get("SecurityGroups")):
        raise api_error("ec2.interfaces_and_groups")
    if int(call.parameters["MaxCount"]) > 1:
        _require_no_single_thing(data, given)
    for specification in given:
        _require_interface(backend, data, specification)
    zones = {subnet.availability_zone for subnet in _subnets(backend, data, given)}
    zone = data.get("Placement", {}).get("AvailabilityZone")
    if len(zones | ({zone} if zone else set())) > 1:
        raise api_error("ec2.launch_zones")
    for name in data.get("SecurityGroups", []):
        if backend.get_security_group_by_name_or_id(name) is None:
            raise api_error("ec2.no_group", name=name)
    _require_groups(backend, data.get("SubnetId"), data.get("SecurityGroupIds", []))
    for specification in given:
        _require_groups(backend, specification.get("SubnetId") or data.get("SubnetId"), specification.get("Groups", []))


def _require_interface(backend: Any, data: Mapping[str, Any], specification: Mapping[str, Any]) -> None:
    if specification.get("NetworkInterfaceId"):
        require_free(backend.get_network_interface(specification["NetworkInterfaceId"]))
    if specification.get("InterfaceType", "").startswith("efa") and not supports_efa(data["InstanceType"]):
        raise api_error("ec2.efa_unsupported", instance_type=data["InstanceType"])


def _require_no_single_thing(data: Mapping[str, Any], given: Specifications) -> None:
    """An address or an interface is there once."""
    for each in (data, *given):
        for member in ("PrivateIpAddress", "PrivateIpAddresses", "NetworkInterfaceId"):
            if each.get(member):
                raise api_error("ec2.single_thing", member=member)


def _subnets(backend: Any, data: Mapping[str, Any], given: Specifications) -> Iterator[Any]:
    for each in (data, *given):
        if each.get("SubnetId"):
            yield backend.get_subnet(each["SubnetId"])
        if each.get("NetworkInterfaceId"):
            yield backend.get_network_interface(each["NetworkInterfaceId"]).subnet


def _require_groups(backend: Any, subnet_id: str | None, group_ids: Sequence[str]) -> None:
    """They belong to the VPC of the subnet."""
    subnet = backend.get_subnet(subnet_id) if subnet_id else None
    for group_id in group_ids:
        group = backend.get_security_group_from_id(group_id)
        if subnet is not None and group is not None and group.vpc_id != subnet.vpc_id:
            raise api_error("ec2.group_of_other_network", group_id=group_id, subnet_id=subnet_id)
