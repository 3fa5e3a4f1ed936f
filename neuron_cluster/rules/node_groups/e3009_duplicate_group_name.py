"""Two node groups of one name."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from neuron_cluster.rules.base import ConfigRule, Violation

if TYPE_CHECKING:
    from neuron_cluster.catalog.catalog import Catalog
    from neuron_cluster.resolved.environment import ResolvedEnvironment


class DuplicateGroupName(ConfigRule):
    """Every node group has a name of its own.

    Without it: EKS refuses the second group with ResourceInUseException, "NodeGroup already exists with name"; or the
    two differ in what the physical name is made of, both exist, and nobody can tell their nodes apart by label.
    """

    id = "E3009"
    source = "https://docs.aws.amazon.com/eks/latest/APIReference/API_CreateNodegroup.html"

    def check(self, environment: ResolvedEnvironment, catalog: Catalog) -> Iterator[Violation]:
        del catalog
        seen: dict[str, int] = {}
        for position, group in enumerate(environment.cluster_groups):
            first = seen.setdefault(group.name, position)
            if first < position:
                yield Violation(
                    (*group.path, "name"),
                    f"name is {group.name}, like that of eks.node_groups[{first}]",
                    "give one of the two another name",
                )
