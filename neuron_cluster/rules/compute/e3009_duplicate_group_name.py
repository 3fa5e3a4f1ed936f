"""Two node groups of one name."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from neuron_cluster.config.source_map import KeyPath, spelled
from neuron_cluster.rules.base import ConfigRule, Violation

if TYPE_CHECKING:
    from neuron_cluster.catalog.catalog import Catalog
    from neuron_cluster.resolved.environment import ResolvedEnvironment


class DuplicateGroupName(ConfigRule):
    """Every node group has a name of its own.

    Without this check EKS rejects the second group with ResourceInUseException, "NodeGroup already exists with name";
    or the two differ in what the physical name is made of, both exist, and nobody can tell their nodes apart by label.
    """

    id = "E3009"
    source = "https://docs.aws.amazon.com/eks/latest/APIReference/API_CreateNodegroup.html"

    def check(self, environment: ResolvedEnvironment, catalog: Catalog) -> Iterator[Violation]:
        del catalog
        seen: dict[str, KeyPath] = {}
        for group in environment.cluster_groups:
            first = seen.setdefault(group.name, group.path)
            if first != group.path:
                yield Violation(
                    (*group.path, "name"),
                    f"name is {group.name}, like that of {spelled(first)}",
                    "give one of the two another name",
                    related=(first,),
                )
