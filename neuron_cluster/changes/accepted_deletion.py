"""Where an edit may delete data: in an ephemeral environment, and where it was confirmed by name."""

from __future__ import annotations

from collections.abc import Collection, Sequence

import msgspec

from neuron_cluster.changes.guards.deleted_data import DataDeleted, ReplaceableDataDeleted
from neuron_cluster.findings.finding import Finding


def with_accepted_deletions(
    found: Sequence[Finding], protected: Collection[str], *, is_accepted: bool = False
) -> list[Finding]:
    """The findings, E9049 as the warning W9050 where it is accepted and where the stack is not protected.

    ``protected`` are the stacks with termination protection before or after the edit: those of durable environments.
    """
    return [
        msgspec.structs.replace(each, id=ReplaceableDataDeleted.id)
        if each.id == DataDeleted.id and (is_accepted or each.location.file not in protected)
        else each
        for each in found
    ]
