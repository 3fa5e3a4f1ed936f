"""What EKS refuses of a new cluster by its request alone: settings that exclude or need each other."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from ipaddress import IPv4Network
from typing import Any

from local_aws.api_errors import api_error

OF_ENTRIES = ("API_AND_CONFIG_MAP", "API")
"""Authentication modes with access entries."""
REMOTE_BLOCKS = ("10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "100.64.0.0/10")
"""Where nodes and pods on premises may have their addresses: RFC 1918 and carrier-grade NAT.

https://docs.aws.amazon.com/eks/latest/APIReference/API_RemoteNodeNetwork.html
"""


def require_auto_mode_form(compute: Mapping[str, Any], mode: str) -> None:
    """Nodes of Auto Mode enter by an access entry, with a role of their own."""
    if compute.get("enabled") and mode not in OF_ENTRIES:
        raise api_error("eks.auto_mode_without_entries")
    if compute.get("nodePools") and not compute.get("nodeRoleArn"):
        raise api_error("eks.node_pools_without_role")


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
