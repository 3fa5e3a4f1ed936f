"""Checkpoints without a file system."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from neuron_cluster.rules.base import ConfigRule, Violation

if TYPE_CHECKING:
    from neuron_cluster.catalog.catalog import Catalog
    from neuron_cluster.resolved.resolved_environment import ResolvedEnvironment


class CheckpointsWithoutLustre(ConfigRule):
    """Checkpoints are planned for an FSx for Lustre file system (`storage.lustre`).

    Without this check `plan` would print sizes and no times: nothing that the file defines takes the checkpoints.
    """

    id = "W4013"
    source = "https://docs.aws.amazon.com/fsx/latest/LustreGuide/performance.html"

    def check(self, environment: ResolvedEnvironment, catalog: Catalog) -> Iterator[Violation]:
        del catalog
        storage = environment.config.storage
        if storage is not None and storage.checkpoints is not None and storage.lustre is None:
            yield Violation(
                ("storage", "checkpoints"),
                "lustre is not set: checkpoints are not planned",
                "add lustre, or remove checkpoints",
            )
