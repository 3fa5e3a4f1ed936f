"""Changes of the instances of providers: groups that are added, removed, rolled or scaled."""

from __future__ import annotations

import enum
from collections.abc import Collection

from msgspec import Struct
from msgspec.structs import replace

from local_aws.cloudformation.values import Address
from neuron_cluster.changes.comparison import Comparison
from neuron_cluster.changes.source import change_sources


class NodeChangeKind(enum.StrEnum):
    """The kind of change of a node group."""

    ADDED = "added"
    REMOVED = "removed"
    REPLACED = "replaced"
    ROLLED = "rolled"
    SCALED = "scaled"
    CHANGED = "changed in place"


class NodeChange(Struct, frozen=True):
    """One thing that happens to one group or workstation, which has a change of each kind at most."""

    group: str
    """The user's name of the group; ``workstation alice`` for a workstation."""
    kind: NodeChangeKind
    what: str
    nodes: int | None
    """How many nodes start or end, at the desired counts; none when a token hides the count."""
    reservation_id: str | None
    """The reserved capacity that the nodes run on, before the edit; of a new group, after it."""
    is_refused: bool = False


def node_changes(comparison: Comparison, blocked: Collection[Address] = ()) -> list[NodeChange]:
    """Every change, by the name of the group. ``blocked`` holds the resources whose change a deploy blocks."""
    found = (each for source in change_sources() for each in source.node_changes(comparison))
    return sorted(
        (replace(change, is_refused=address in blocked) for address, change in found), key=lambda change: change.group
    )
