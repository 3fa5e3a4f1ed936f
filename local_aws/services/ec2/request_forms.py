"""Requests to EC2 with values that it does not take: blocks of VPCs, DNS64."""

from __future__ import annotations

import ipaddress
from typing import Any

from local_aws.api_errors import api_error
from local_aws.guards import guard
from local_aws.knowledge.current import limit
from local_aws.service import Call

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


@guard("ec2", "ModifySubnetAttribute")
def require_ipv6_for_dns64(call: Call) -> None:
    """That there is no such subnet, moto says."""
    if not call.parameters.get("EnableDns64", {}).get("Value"):
        return
    subnets = call.moto_backend("ec2").subnets.values()
    subnet: Any = next(
        (zone[call.parameters["SubnetId"]] for zone in subnets if call.parameters["SubnetId"] in zone), None
    )
    if subnet is not None and not subnet.ipv6_cidr_block_associations:
        raise api_error("ec2.dns64")
