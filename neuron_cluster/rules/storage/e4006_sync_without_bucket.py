"""A mirror of nothing."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from neuron_cluster.rules.base import ConfigRule, Violation

if TYPE_CHECKING:
    from neuron_cluster.catalog.catalog import Catalog
    from neuron_cluster.resolved.environment import ResolvedEnvironment


class SyncWithoutBucket(ConfigRule):
    """A Lustre folder is mirrored only to a checkpoint bucket that the file asks for.

    Without this check AWS receives no request: there is no bucket to mirror to.
    """

    id = "E4006"
    source = "https://docs.aws.amazon.com/fsx/latest/LustreGuide/create-dra-linked-data-repo.html"
    proposes = ("checkpoint_bucket", "storage", "sync")

    def check(self, environment: ResolvedEnvironment, catalog: Catalog) -> Iterator[Violation]:
        del catalog
        config = environment.config
        storage = config.storage
        if storage is None or storage.lustre is None or storage.lustre.sync is None or storage.checkpoint_bucket:
            return
        yield Violation(
            ("storage", "lustre", "sync"),
            "sync mirrors a folder to the checkpoint bucket, but there is no storage.checkpoint_bucket",
            "add `checkpoint_bucket: {}` to storage, or remove sync",
        )
