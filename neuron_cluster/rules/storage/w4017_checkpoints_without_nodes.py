"""Checkpoints in an environment without Neuron nodes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from neuron_cluster.resolved.checkpoints import candidate_groups
from neuron_cluster.rules.base import ConfigRule, Violation

if TYPE_CHECKING:
    from neuron_cluster.catalog.catalog import Catalog
    from neuron_cluster.resolved.resolved_environment import ResolvedEnvironment


class CheckpointsWithoutNodes(ConfigRule):
    """Checkpoints are planned for the nodes of a group with Neuron devices (`storage.checkpoints`).

    Without this check `plan` would leave the section out without a word: the time of a save and the failures of a
    training depend on its nodes.
    """

    id = "W4017"
    source = "https://docs.aws.amazon.com/fsx/latest/LustreGuide/performance.html"

    def check(self, environment: ResolvedEnvironment, catalog: Catalog) -> Iterator[Violation]:
        del catalog
        storage = environment.config.storage
        if storage is None or storage.checkpoints is None or candidate_groups(environment):
            return
        if storage.checkpoints.group is None:  # else rule E4011
            yield Violation(
                ("storage", "checkpoints"),
                "no group has Neuron devices: checkpoints are not planned",
                "remove checkpoints, or add a Neuron node group",
            )
