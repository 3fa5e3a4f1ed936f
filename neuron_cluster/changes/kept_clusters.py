"""Changes of a cluster of a provider that a deploy never makes: its change guards report them."""

from __future__ import annotations

from collections.abc import Iterator

from neuron_cluster.changes.comparison import Comparison
from neuron_cluster.changes.guards.base import Violation
from neuron_cluster.changes.replacement_cause import why_replaced
from neuron_cluster.changes.resource_name import name_in
from neuron_cluster.findings.commands import Command

TWO_STEPS = (
    f"undo the edit, or take two steps: 1. `{Command.DESTROY}`, which removes the cluster and keeps storage "
    "and network; 2. deploy the edited file"
)


def replaced_clusters(
    comparison: Comparison, cluster_type: str, lost: str, way: str = TWO_STEPS
) -> Iterator[Violation]:
    """``lost`` completes "would be replaced with"."""
    for address in comparison.replaced:
        if comparison.type_of(address) == cluster_type:
            why = why_replaced(comparison, address)
            message = f"{name_in(comparison, address)} would be replaced with {lost}, because {why}"
            yield Violation(address, message, way)


def removed_clusters(comparison: Comparison, cluster_type: str, way: str = TWO_STEPS) -> Iterator[Violation]:
    """Clusters that are deployed and no longer in the file."""
    for address in comparison.removed:
        if comparison.type_of(address) == cluster_type:
            message = f"{name_in(comparison, address)} is no longer in the file, but a deploy does not delete clusters"
            yield Violation(address, message, way)
