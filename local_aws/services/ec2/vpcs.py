"""VPCs: a valid block in its canonical form, and no deletion while anything that was made in them is left."""

from __future__ import annotations

import contextlib
import ipaddress
from collections.abc import Iterator
from typing import Any

from moto.ec2.models.internet_gateways import InternetGatewayBackend
from moto.ec2.models.vpcs import VPCBackend

from local_aws.api_errors import api_error
from local_aws.knowledge.current import limit
from local_aws.service import Call, guard
from local_aws.services.overrides import override

RESERVED_BLOCKS = ("0.0.0.0/8", "127.0.0.0/8", "169.254.0.0/16", "224.0.0.0/4")
"""Addresses of hosts themselves, of links and of groups, which no VPC may have."""


@guard("ec2", "CreateVpc", "AssociateVpcCidrBlock")
def require_vpc_block(call: Call) -> None:
    """What is no block at all, moto says."""
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
