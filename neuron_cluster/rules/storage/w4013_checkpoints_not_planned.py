"""Checkpoints without a file system."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from neuron_cluster.rules.base import ConfigRule, Violation

if TYPE_CHECKING:
    from neuron_cluster.catalog.catalog import Catalog
    from neuron_cluster.resolved.resolved_environment import ResolvedEnvironment


class CheckpointsNotPlanned(ConfigRule):
    """Checkpoints are planned for a file system or a bucket (`storage.lustre`, `storage.checkpoint_bucket`).

    Without this check `plan` would print sizes and no times: nothing that the file defines takes the checkpoints.
    """

    id = "W4013"
    source = "https://docs.aws.amazon.com/fsx/latest/LustreGuide/performance.html"

    def check(self, environment: ResolvedEnvironment, catalog: Catalog) -> Iterator[Violation]:
        del catalog
        storage = environment.config.storage
        if storage is None or storage.checkpoints is None:
            return
        if storage.lustre is None and storage.checkpoint_bucket is None:
            yield Violation(
                ("storage", "checkpoints"),
                "neither lustre nor checkpoint_bucket is set: checkpoints are not planned",
                "add lustre or checkpoint_bucket, or remove checkpoints",
            )
