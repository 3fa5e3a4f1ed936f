"""The mirror between file system and bucket is removed while both stay."""

from __future__ import annotations

from neuron_cluster.changes.comparison import Comparison
from neuron_cluster.changes.guards.wording import place
from neuron_cluster.findings.finding import Finding

ASSOCIATION = "AWS::FSx::DataRepositoryAssociation"


def mirror_warnings(comparison: Comparison) -> list[Finding]:
    """W9017, once for each association that the file no longer has."""
    return [
        Finding(
            "W9017",
            place(address),
            "storage.lustre.sync is removed: files that are written from now on are on the file system alone, and "
            "objects that are put into the bucket do not appear as files",
            "put `sync` back into storage.lustre, unless something else copies the checkpoints to the bucket",
        )
        for address in comparison.removed
        if comparison.type_of(address) == ASSOCIATION
    ]
