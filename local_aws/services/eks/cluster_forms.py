"""What EKS refuses of a new cluster by its request alone: settings that exclude or need each other.

Source: badmintoncryer/cdk-preflight has code and words, as EKS answered
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from ipaddress import IPv4Network
from typing import Any

from local_aws.services.eks.refusals import invalid_parameter

OF_ENTRIES = ("API_AND_CONFIG_MAP", "API")
"""Authentication modes with access entries."""
DEFAULT_MODE = "CONFIG_MAP"
REMOTE_BLOCKS = ("10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "100.64.0.0/10")
"""Where nodes and pods on premises may have their addresses: RFC 1918 and carrier-grade NAT.

https://docs.aws.amazon.com/eks/latest/APIReference/API_RemoteNodeNetwork.html
"""


def require_cluster_form(given: Mapping[str, Any]) -> None:
    """Before the role, the keys and the subnets are looked up."""
    mode = given.get("accessConfig", {}).get("authenticationMode", DEFAULT_MODE)
    require_auto_mode_form(given.get("computeConfig", {}), mode)
    network = given.get("kubernetesNetworkConfig", {})
    if network.get("ipFamily") == "ipv6" and "serviceIpv4Cidr" in network:
        raise invalid_parameter('serviceIpv4Cidr cannot be specified when creating an "ipv6" cluster')
    remote = given.get("remoteNetworkConfig")
    if remote and mode not in OF_ENTRIES:
        raise invalid_parameter(
            "AccessConfig AuthMode must be API_AND_CONFIG_MAP or API when remoteNetworkConfig is specified"
        )


def require_auto_mode_form(compute: Mapping[str, Any], mode: str) -> None:
    """Nodes of Auto Mode enter by an access entry, with a role of their own."""
    if compute.get("enabled") and mode not in OF_ENTRIES:
        raise invalid_parameter(
            "When EKS Auto Mode is enabled, you must use an EKS access config authentication mode of "
            "API_AND_CONFIG_MAP or API"
        )
    if compute.get("nodePools") and not compute.get("nodeRoleArn"):
        raise invalid_parameter("When Compute Config nodeRoleArn is null or empty, nodePool list cannot be populated.")


def require_remote_networks(remote: Mapping[str, Any], taken: list[IPv4Network]) -> None:
    """Nodes first; each block of addresses is private, and no two of them overlap, nor one with those taken."""
    if not remote:
        return
    if not remote.get("remoteNodeNetworks"):
        raise invalid_parameter("remoteNodeNetworks are required when specifying remoteNetworkConfig.")
    used: list[tuple[IPv4Network, str]] = [(each, "service CIDR") for each in taken]
    for kind, block in _remote_blocks(remote):
        if not any(block.subnet_of(IPv4Network(each)) for each in REMOTE_BLOCKS):
            raise invalid_parameter(f"Invalid remote {kind} network: CIDR {block} is not part of RFC 1918 or CGNAT")
        for other, what in used:
            if block.overlaps(other):
                raise invalid_parameter(f"Invalid remote {kind} network: CIDR {block} overlaps with {what} {other}")
        used.append((block, "already existing CIDR"))


def _remote_blocks(remote: Mapping[str, Any]) -> Iterator[tuple[str, IPv4Network]]:
    for kind in ("node", "pod"):
        for each in remote.get(f"remote{kind.title()}Networks", []):
            for cidr in each.get("cidrs", []):
                try:
                    yield kind, IPv4Network(cidr)
                except ValueError as error:
                    # Source: inferred: the words
                    raise invalid_parameter(f"Invalid remote {kind} network: CIDR {cidr}: {error}") from error
