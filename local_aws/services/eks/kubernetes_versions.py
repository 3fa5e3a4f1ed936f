"""Kubernetes versions that EKS offers, as the catalog knows them, and the steps between them."""

from __future__ import annotations

from local_aws.api_errors import api_error
from local_aws.knowledge.current import knowledge
from local_aws.services.eks.seed import seed

MOST_BEHIND = 3
"""Minor versions between a control plane and its nodes."""


def newest_version() -> str:
    return max(knowledge().kubernetes_versions, key=minor)


def minor(version: str) -> int:
    """34 for ``1.34``."""
    return int(version.split(".")[1])


def require_offered(version: str) -> None:
    if version not in knowledge().kubernetes_versions and version not in seed()["older_kubernetes_versions"]:
        raise api_error("eks.version_not_offered", version=version)


def require_within_skew(cluster: str, nodes: str) -> None:
    """Nodes may be three minor versions behind their control plane, and none ahead of it."""
    major, newest = cluster.partition(".")[0], minor(cluster)
    supported = [f"{major}.{number}" for number in range(newest, newest - MOST_BEHIND - 1, -1)]
    if nodes not in supported:
        raise api_error("eks.version_skew", version=cluster, supported=", ".join(supported))


def require_next_minor(current: str, wanted: str) -> None:
    """A control plane goes up one minor version at a time and never down."""
    require_offered(wanted)
    if minor(wanted) != minor(current) + 1:
        raise api_error("eks.version_step", current=current, wanted=wanted)
