"""Duplicate node group names."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from neuron_cluster.rules.base import ConfigRule, Violation
from neuron_cluster.rules.duplicate_names import duplicate_names

if TYPE_CHECKING:
    from neuron_cluster.catalog.catalog import Catalog
    from neuron_cluster.resolved.resolved_environment import ResolvedEnvironment


class DuplicateNodeGroupName(ConfigRule):
    """Every node group name is unique (`name`).

    Without this check EKS rejects the second group with ResourceInUseException, "NodeGroup already exists with name";
    or both are created, because their physical names differ, and their nodes have the same labels.
    """

    id = "E3009"
    source = "https://docs.aws.amazon.com/eks/latest/APIReference/API_CreateNodegroup.html"

    def check(self, environment: ResolvedEnvironment, catalog: Catalog) -> Iterator[Violation]:
        del catalog
        yield from duplicate_names((group.path, group.name) for group in environment.cluster_groups)
