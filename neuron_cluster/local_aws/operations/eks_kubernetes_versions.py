"""Kubernetes versions that EKS offers, as the catalog knows them, and the steps between them."""

from __future__ import annotations

from neuron_cluster.catalog.kubernetes_version import kubernetes_versions
from neuron_cluster.local_aws.operations.eks_refusals import invalid_parameter


def newest_version() -> str:
    return max(kubernetes_versions(), key=minor)


def minor(version: str) -> int:
    """34 for ``1.34``."""
    return int(version.split(".")[1])


def require_offered(version: str) -> None:
    if version not in kubernetes_versions():
        raise invalid_parameter(f"unsupported Kubernetes version {version}")


def require_next_minor(current: str, wanted: str) -> None:
    """A control plane goes up one minor version at a time and never down."""
    require_offered(wanted)
    if minor(wanted) != minor(current) + 1:
        raise invalid_parameter(f"Unsupported Kubernetes minor version update from {current} to {wanted}")
