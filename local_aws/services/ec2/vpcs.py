"""VPCs, their gateways and their route tables: valid blocks, and no deletion of what is still used."""

from __future__ import annotations

import contextlib
import ipaddress
from collections.abc import Iterator
from typing import Any

from moto.ec2.models.internet_gateways import InternetGatewayBackend
from moto.ec2.models.nat_gateways import NatGatewayBackend
from moto.ec2.models.vpcs import VPCBackend

from local_aws.api_errors import api_error
from local_aws.contract import Call
from local_aws.knowledge.current import limit
from local_aws.registry import guard
from local_aws.services.overrides import override

RESERVED_BLOCKS = ("0.0.0.0/8", "127.0.0.0/8", "169.254.0.0/16", "224.0.0.0/4")
"""Addresses of hosts themselves, of links and of groups, which no VPC may have."""


@guard("ec2", "CreateVpc", "AssociateVpcCidrBlock")
def require_vpc_block(call: Call) -> None:
    """Checks size and range of a block; moto rejects a text that is not a block."""
    cidr, sizes = call.parameters.get("CidrBlock"), limit("vpc_cidr_prefix")
    try:
        block = ipaddress.IPv4Network(cidr, strict=False) if cidr else None
    except ValueError:
        return
    if block is None:
        return
    fits = sizes.require_minimum() <= block.prefixlen <= sizes.require_maximum()
    if not fits or any(block.overlaps(ipaddress.IPv4Network(each)) for each in RESERVED_BLOCKS):
        raise api_error("ec2.vpc_range", cidr=cidr)
    vpc = call.moto_backend("ec2").vpcs.get(call.parameters.get("VpcId"))
    held = [each["cidr_block"] for each in vpc.get_cidr_block_association_set()] if vpc is not None else []
    if any(block.overlaps(ipaddress.IPv4Network(each)) for each in held):
        raise api_error("ec2.cidr_conflict", cidr=cidr)


@override(VPCBackend, "create_vpc")
def create_vpc(original: Any, _backend: Any, cidr_block: str, *args: Any, **kwargs: Any) -> Any:
    """EC2 keeps the block in its canonical form: ``10.0.0.1/16`` is ``10.0.0.0/16``."""
    with contextlib.suppress(ValueError):  # what is no block, moto refuses
        cidr_block = str(ipaddress.IPv4Network(cidr_block, strict=False))
    return original(cidr_block, *args, **kwargs)


@override(VPCBackend, "delete_vpc")
def delete_vpc(original: Any, backend: Any, vpc_id: str) -> Any:
    """moto itself looks for subnets, further route tables and VPN gateways."""
    if any(True for _ in _left_in(backend, vpc_id)):
        raise api_error("ec2.vpc_in_use", vpc_id=vpc_id)
    return original(vpc_id)


def _left_in(backend: Any, vpc_id: str) -> Iterator[str]:
    for gateway in backend.internet_gateways.values():
        if gateway.vpc is not None and gateway.vpc.id == vpc_id:
            yield gateway.id
    for endpoint in backend.vpc_end_points.values():
        if endpoint.vpc_id == vpc_id:
            yield endpoint.id
    for group in backend.groups.get(vpc_id, {}).values():
        if not group.is_default:
            yield group.id


@override(InternetGatewayBackend, "attach_internet_gateway")
def attach_internet_gateway(original: Any, backend: Any, internet_gateway_id: str, vpc_id: str) -> Any:
    """A VPC takes one internet gateway."""
    for gateway in backend.internet_gateways.values():
        if gateway.vpc is not None and gateway.vpc.id == vpc_id:
            raise api_error("ec2.gateway_attached", vpc_id=vpc_id)
    return original(internet_gateway_id, vpc_id)


@override(InternetGatewayBackend, "detach_internet_gateway")
def detach_internet_gateway(original: Any, backend: Any, internet_gateway_id: str, vpc_id: str) -> Any:
    for interface in backend.enis.values():
        if interface.subnet.vpc_id == vpc_id and interface.public_ip:
            raise api_error("ec2.mapped_addresses", vpc_id=vpc_id)
    return original(internet_gateway_id, vpc_id)


@guard("ec2", "AssociateRouteTable")
def require_subnet_of_no_other(call: Call) -> None:
    """moto answers with the association that there is, and leaves the subnet where it was."""
    subnet_id, wanted = call.parameters.get("SubnetId"), call.parameters["RouteTableId"]
    for table in call.moto_backend("ec2").route_tables.values():
        held = {association.get("SubnetId") for association in table.associations}
        if subnet_id is not None and subnet_id in held and table.id != wanted:
            raise api_error("ec2.route_table_association", wanted=wanted)


@guard("ec2", "AssociateRouteTable")
def require_subnet_of_the_network(call: Call) -> None:
    """Checks that table and subnet are of one VPC; moto rejects one that does not exist."""
    backend, given = call.moto_backend("ec2"), call.parameters
    table = backend.route_tables.get(given["RouteTableId"])
    subnet_id = given.get("SubnetId")
    subnet = next((zone[subnet_id] for zone in backend.subnets.values() if subnet_id in zone), None)
    if table is not None and subnet is not None and table.vpc_id != subnet.vpc_id:
        raise api_error("ec2.route_table_of_other_network", table=table.id, subnet=subnet_id)


@guard("ec2", "CreateRoute", "ReplaceRoute", last=True)
def require_target(call: Call) -> None:
    """moto takes gateways that are attached elsewhere or nowhere, and NAT gateways that do not exist."""
    backend, given = call.moto_backend("ec2"), call.parameters
    table = backend.route_tables.get(given["RouteTableId"])
    gateway = backend.internet_gateways.get(given.get("GatewayId"))
    if table is not None and gateway is not None and (gateway.vpc is None or gateway.vpc.id != table.vpc_id):
        raise api_error("ec2.gateway_of_other_network", table=table.id, gateway=gateway.id)
    nat_gateway_id = given.get("NatGatewayId")
    if nat_gateway_id is not None and nat_gateway_id not in backend.nat_gateways:
        raise api_error("ec2.no_nat_gateway_of_route", nat_gateway_id=nat_gateway_id)


@guard("ec2", "DeleteRouteTable")
def require_no_main_table(call: Call) -> None:
    """Rejects the deletion of a main route table; moto rejects a table that does not exist."""
    table = call.moto_backend("ec2").route_tables.get(call.parameters["RouteTableId"])
    if table is not None and table.main_association_id is not None:
        raise api_error("ec2.main_route_table", table=table.id)


@guard("ec2", "CreateNatGateway", last=True)
def require_internet_gateway(call: Call) -> None:
    """EC2 takes the call and the gateway fails a moment later; here nothing takes a moment."""
    backend, given = call.moto_backend("ec2"), call.parameters
    subnet_id = given.get("SubnetId")
    subnet = next((zone[subnet_id] for zone in backend.subnets.values() if subnet_id in zone), None)
    if subnet is None or given.get("ConnectivityType") == "private":
        return
    attached = {gateway.vpc.id for gateway in backend.internet_gateways.values() if gateway.vpc is not None}
    if subnet.vpc_id not in attached:
        raise api_error("ec2.no_gateway_attached", vpc_id=subnet.vpc_id)


@override(NatGatewayBackend, "create_nat_gateway")
def create_nat_gateway(original: Any, _backend: Any, subnet_id: str, *args: Any, **kwargs: Any) -> Any:
    gateway = original(subnet_id, *args, **kwargs)
    interface = gateway._eni  # noqa: SLF001 - moto's field
    interface.description = f"Interface for NAT Gateway {gateway.id}"
    interface.interface_type = "nat_gateway"
    interface.requester_managed = True
    interface.status = "in-use"
    interface._group_set = []  # noqa: SLF001 - such an interface has no group
    return gateway


@override(NatGatewayBackend, "delete_nat_gateway")
def delete_nat_gateway(original: Any, backend: Any, nat_gateway_id: str) -> Any:
    """moto leaves the interface in the subnet and the address on the interface."""
    if nat_gateway_id not in backend.nat_gateways:
        raise api_error("ec2.no_nat_gateway", nat_gateway_id=nat_gateway_id)
    gateway = original(nat_gateway_id)
    interface = backend.enis.pop(gateway._eni.id, None)  # noqa: SLF001 - moto's field
    for address in backend.addresses:
        if interface is not None and address.eni is interface:
            address.eni = address.instance = address.association_id = None
    return gateway
