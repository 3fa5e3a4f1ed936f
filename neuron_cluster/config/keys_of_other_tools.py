"""Keys that users of other tools expect, and what the environment file has in their place."""

from __future__ import annotations

LIMITS = "docs/limits.md"
NOT_BUILT = f"not supported ({LIMITS} names what to use instead): remove it; "

IN_PLACE = {
    "spot": "write capacity: {kind: spot}; ",
    "on_demand": "remove it: it is the default of capacity; ",
    "vpc_id": "write network.existing for a VPC that exists; ",
    "subnets": "write network.existing for subnets that exist; ",
    "subnet_ids": "write network.existing for subnets that exist; ",
    **dict.fromkeys(
        (
            "argocd",
            "batch",
            "cluster_autoscaler",
            "ecs",
            "fleets",
            "flux",
            "gitops",
            "hyperpod",
            "karpenter",
            "office_hours",
            "parallelcluster",
            "sagemaker",
            "slinky",
            "training_plan",
            "ttl",
            "ttl_hours",
        ),
        NOT_BUILT,
    ),
}
"""The beginning of the hint by the key."""


def instead_of(key: str) -> str:
    """The beginning of a hint about an unknown key; empty where nothing is known of it."""
    return IN_PLACE.get(key.lower().replace("-", "_"), "")
