"""Subnets: the caller's zones and EC2's sizes only, no deletion under interfaces, every launch attribute kept."""

from __future__ import annotations

import ipaddress
from typing import Any

from moto.ec2.models.subnets import SubnetBackend
from moto.ec2.responses.subnets import Subnets

from local_aws.api_errors import api_error
from local_aws.contract import Call
from local_aws.knowledge.current import limit
from local_aws.registry import guard
from local_aws.running_capacity import undescribed_rows
from local_aws.services.overrides import override


@override(SubnetBackend, "create_subnet")
def create_subnet(original: Any, backend: Any, *args: Any, **kwargs: Any) -> Any:
    """moto takes any zone of the world, and keeps a subnet that was made by zone id under no zone name."""
    names = ("vpc_id", "cidr_block", "ipv6_cidr_block", "availability_zone", "availability_zone_id", "tags")
    given = {**dict(zip(names, args, strict=False)), **kwargs}
    given["cidr_block"] = _canonical(given.get("cidr_block"))
    zones = backend.describe_availability_zones()
    for parameter, attribute in (("availability_zone", "name"), ("availability_zone_id", "zone_id")):
        wanted = given.get(parameter)
        known = [getattr(zone, attribute) for zone in zones]
        if wanted and wanted not in known:
            aws_name = "availabilityZone" if attribute == "name" else "availabilityZoneId"
            raise api_error("ec2.subnet_zone", wanted=wanted, aws_name=aws_name, names=", ".join(known))
    zone_id = given.get("availability_zone_id")
    if zone_id:
        given["availability_zone"] = next(zone.name for zone in zones if zone.zone_id == zone_id)
        given["availability_zone_id"] = None
    return original(**given)


def _canonical(cidr: str | None) -> str | None:
    """The block as EC2 keeps it; what is no block at all, moto refuses."""
    try:
        network = ipaddress.IPv4Network(cidr, strict=False) if cidr else None
    except ValueError:
        return cidr
    sizes = limit("subnet_cidr_prefix")
    if network is not None and not (sizes.minimum or 0) <= network.prefixlen <= (sizes.maximum or network.prefixlen):
        raise api_error("ec2.subnet_range", cidr=cidr)
    return cidr if network is None else str(network)


@override(SubnetBackend, "delete_subnet")
def delete_subnet(original: Any, backend: Any, subnet_id: str) -> Any:
    if any(interface.subnet.id == subnet_id for interface in backend.enis.values()):
        raise api_error("ec2.subnet_in_use", subnet_id=subnet_id)
    for key, association in list(backend.subnet_associations.items()):
        if association.subnet_id == subnet_id:
            del backend.subnet_associations[key]
    return original(subnet_id)


@guard("ec2", "DeleteSubnet")
def require_empty_subnet(call: Call) -> None:
    """Rejects a subnet with instances that no call has described yet, which moto does not have."""
    subnet_id = call.parameters["SubnetId"]
    if any(row.subnet_id == subnet_id for row in undescribed_rows(call)):
        raise api_error("ec2.subnet_in_use", subnet_id=subnet_id)


@override(Subnets, "modify_subnet_attribute")
def modify_subnet_attribute(original: Any, response: Any) -> Any:
    """moto keeps three of these attributes, and of one request only the true ones it knows."""
    subnet = response.ec2_backend.get_subnet(response._get_param("SubnetId"))  # noqa: SLF001 - moto's own way to read a request
    options = subnet.private_dns_name_options_on_launch
    hostname_type = response._get_param("PrivateDnsHostnameTypeOnLaunch")  # noqa: SLF001 - how moto reads a parameter
    if hostname_type is not None:
        options["HostnameType"] = hostname_type
    for member in ("EnableResourceNameDnsARecord", "EnableResourceNameDnsAAAARecord"):
        value = response._get_param(f"{member}OnLaunch.Value")  # noqa: SLF001 - how moto reads a parameter
        if value is not None:
            options[member] = value
    dns64 = response._get_param("EnableDns64.Value")  # noqa: SLF001 - how moto reads a parameter
    if dns64 is not None:
        subnet.enable_dns64 = dns64
    return original()


@guard("ec2", "ModifySubnetAttribute")
def require_ipv6_for_dns64(call: Call) -> None:
    """Rejects DNS64 in a subnet without IPv6; moto rejects a subnet that does not exist."""
    if not call.parameters.get("EnableDns64", {}).get("Value"):
        return
    subnets = call.moto_backend("ec2").subnets.values()
    subnet: Any = next(
        (zone[call.parameters["SubnetId"]] for zone in subnets if call.parameters["SubnetId"] in zone), None
    )
    if subnet is not None and not subnet.ipv6_cidr_block_associations:
        raise api_error("ec2.dns64")
