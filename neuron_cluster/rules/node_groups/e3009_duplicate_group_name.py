"""Two node groups of one name."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from neuron_cluster.rules.asked_node_group import asked_node_groups
from neuron_cluster.rules.base import ConfigRule, Violation

if TYPE_CHECKING:
    from neuron_cluster.catalog.catalog import Catalog
    from neuron_cluster.config.environment import EnvironmentConfig


class DuplicateGroupName(ConfigRule):
    """Every node group has a name of its own.

    Without it: EKS refuses the second group with ResourceInUseException, "NodeGroup already exists with name"; or the
    two differ in what the physical name is made of, both exist, and nobody can tell their nodes apart by label.
    """

    id = "E3009"
    source = "https://docs.aws.amazon.com/eks/latest/APIReference/API_CreateNodegroup.html"

    def check(self, config: EnvironmentConfig, catalog: Catalog) -> Iterator[Violation]:
        seen: dict[str, int] = {}
        for position, asked in enumerate(asked_node_groups(config, catalog)):
            first = seen.setdefault(asked.group.name, position)
            if first < position:
                yield Violation(
                    (*asked.path, "name"),
                    f"name is {asked.group.name}, like that of eks.node_groups[{first}]",
                    "give one of the two another name",
                )
