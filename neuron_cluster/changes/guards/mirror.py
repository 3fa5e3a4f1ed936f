"""The data repository association between file system and bucket is removed while both stay."""

from __future__ import annotations

from collections.abc import Iterator

from neuron_cluster.changes.comparison import Comparison
from neuron_cluster.changes.guards.base import Guard, Violation

ASSOCIATION = "AWS::FSx::DataRepositoryAssociation"


class MirrorRemoved(Guard):
    """A Lustre file system with a data repository association keeps it (`storage.lustre.sync`).

    Without the association nothing copies new checkpoints to the bucket, and no later deploy reports it. What is in
    the bucket stays there and becomes outdated.
    """

    id = "W9017"
    source = "https://docs.aws.amazon.com/fsx/latest/LustreGuide/create-dra-linked-data-repo.html"
    only_without_errors = True

    def check(self, comparison: Comparison) -> Iterator[Violation]:
        """Once for each association that the file no longer has."""
        for address in comparison.removed:
            if comparison.type_of(address) == ASSOCIATION:
                yield Violation(
                    address,
                    "storage.lustre.sync is removed: new files are then only on the file system, "
                    "and objects that are put into the bucket do not appear as files",
                    "put `sync` back into storage.lustre, unless another process copies the checkpoints to the bucket",
                )
