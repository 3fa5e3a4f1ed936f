"""Blocks of addresses of a cluster: those of its services, and of nodes and pods on premises."""

from __future__ import annotations

import secrets
from collections.abc import Iterator, Mapping
from ipaddress import IPv4Network, ip_network
from typing import Any

from local_aws.api_errors import api_error
from local_aws.knowledge.current import limit
from local_aws.service import Call
from local_aws.services.eks.tables import Row

PRIVATE = ("10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16")
"""Where services may have their addresses (botocore eks model, serviceIpv4Cidr)."""
REMOTE_BLOCKS = ("10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "100.64.0.0/10")
"""Where nodes and pods on premises may have their addresses: RFC 1918 and carrier-grade NAT.

https://docs.aws.amazon.com/eks/latest/APIReference/API_RemoteNodeNetwork.html
"""


def service_network(call: Call, given: Mapping[str, Any], vpc_id: str) -> Row:
    """kubernetesNetworkConfig; without a CIDR of its own EKS takes one of two that the VPC does not use."""
    vpc = call.client("ec2").describe_vpcs(VpcIds=[vpc_id])["Vpcs"][0]
    vpc_networks = [ip_network(each["CidrBlock"]) for each in vpc["CidrBlockAssociationSet"]]
    network = {"ipFamily": "ipv4", **given}
    network["elasticLoadBalancing"] = {"enabled": False, **given.get("elasticLoadBalancing", {})}
    if network["ipFamily"] == "ipv6":
        return {**network, "serviceIpv6Cidr": f"fd{secrets.token_hex(1)}:{secrets.token_hex(2)}::/108"}
    if "serviceIpv4Cidr" in given:
        wanted = _service_block(given["serviceIpv4Cidr"])
        if any(wanted.overlaps(each) for each in vpc_networks):
            raise api_error("eks.services_overlap", block=wanted)
        return network
    uses_ten = any(each.overlaps(ip_network("10.0.0.0/8")) for each in vpc_networks)
    return {**network, "serviceIpv4Cidr": "172.20.0.0/16" if uses_ten else "10.100.0.0/16"}


def service_blocks(cluster: Mapping[str, Any]) -> list[IPv4Network]:
    """Addresses of the cluster's services."""
    cidr = cluster["kubernetesNetworkConfig"].get("serviceIpv4Cidr")
    return [IPv4Network(cidr)] if cidr else []


def _service_block(cidr: str) -> IPv4Network:
    """The block of a request: private, and of a size that EKS takes."""
    sizes = limit("eks_service_cidr_prefix")
    try:
        wanted = IPv4Network(cidr)
    except ValueError as error:
        raise api_error("eks.services_malformed", cidr=cidr, problem=error) from error
    if not any(wanted.subnet_of(IPv4Network(each)) for each in PRIVATE):
        raise api_error("eks.services_public", cidr=cidr, private=", ".join(PRIVATE))
    if not (sizes.minimum or 0) <= wanted.prefixlen <= (sizes.maximum or wanted.prefixlen):
        raise api_error("eks.services_size", cidr=cidr, maximum=sizes.maximum, minimum=sizes.minimum)
    return wanted


def require_remote_networks(remote: Mapping[str, Any], taken: list[IPv4Network]) -> None:
    """Nodes first; each block of addresses is private, and no two of them overlap, nor one with those taken."""
    used: list[tuple[IPv4Network, str]] = [(each, "service CIDR") for each in taken]
    for kind, block in _remote_blocks(remote):
        if not any(block.subnet_of(IPv4Network(each)) for each in REMOTE_BLOCKS):
            raise api_error("eks.remote_network_public", kind=kind, block=block)
        for other, what in used:
            if block.overlaps(other):
                raise api_error("eks.remote_network_overlap", kind=kind, block=block, what=what, other=other)
        used.append((block, "already existing CIDR"))


def _remote_blocks(remote: Mapping[str, Any]) -> Iterator[tuple[str, IPv4Network]]:
    for kind in ("node", "pod"):
        for each in remote.get(f"remote{kind.title()}Networks", []):
            for cidr in each.get("cidrs", []):
                try:
                    yield kind, IPv4Network(cidr)
                except ValueError as error:
                    raise api_error("eks.remote_network_malformed", kind=kind, cidr=cidr, problem=error) from error
