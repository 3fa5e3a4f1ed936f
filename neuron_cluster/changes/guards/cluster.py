"""A cluster is neither replaced nor left standing by a deploy: everything that runs on it would be lost."""

from __future__ import annotations

from neuron_cluster.changes.comparison import Comparison
from neuron_cluster.changes.guards.wording import place, why_replaced
from neuron_cluster.changes.resource_name import name_in
from neuron_cluster.findings.finding import Finding

CLUSTER = "AWS::EKS::Cluster"
TWO_STEPS = (
    "undo the edit, or take two steps: 1. `neuron-cluster destroy NAME`, which removes the cluster and keeps storage "
    "and network; 2. deploy the edited file"
)


def cluster_refusals(comparison: Comparison) -> list[Finding]:
    """E9003: the cluster would be replaced. E9004: it is no longer in the environment."""
    return [
        Finding(
            "E9003",
            place(address),
            f"{name_in(comparison, address)} would be replaced with everything that runs on it, because "
            f"{why_replaced(comparison, address)}",
            TWO_STEPS,
        )
        for address in comparison.replaced
        if comparison.type_of(address) == CLUSTER
    ] + [
        Finding(
            "E9004",
            place(address),
            f"{name_in(comparison, address)} is no longer in the file, and a deploy deletes no cluster",
            TWO_STEPS,
        )
        for address in comparison.removed
        if comparison.type_of(address) == CLUSTER
    ]
