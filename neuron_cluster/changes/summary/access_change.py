"""What an edit does to access: who may use the cluster, where its endpoint answers, which stacks one call deletes."""

from __future__ import annotations

import enum
from collections.abc import Collection, Iterator

from msgspec import Struct

from neuron_cluster.changes.comparison import Comparison
from neuron_cluster.changes.source import change_sources


class AccessChangeKind(enum.StrEnum):
    """What happens to the access of a principal."""

    ADDED = "added"
    REMOVED = "removed"
    CHANGED = "changed"


class AccessChange(Struct, frozen=True):
    """One principal, the endpoint of one cluster, or the deletion of one stack."""

    who: str
    kind: AccessChangeKind
    before: str
    """Policies, addresses, or whether it is allowed; empty when there was nothing."""
    after: str


def protection_changes(before: Collection[str], after: Collection[str], stacks: Collection[str]) -> list[AccessChange]:
    """Stacks that exist on both sides and gain or lose termination protection; the first two are those that have it."""
    words = {True: "blocked (termination protection)", False: "allowed"}
    return [
        AccessChange(f"deletion of {stack}", AccessChangeKind.CHANGED, words[stack in before], words[stack in after])
        for stack in sorted(stacks)
        if (stack in before) != (stack in after)
    ]


def access_changes(comparison: Comparison) -> list[AccessChange]:
    """Principals by name, then endpoints."""
    states, sources = (comparison.before, comparison.after), change_sources()
    principals = [dict(each for source in sources for each in source.principals(stacks)) for stacks in states]
    endpoints = [dict(each for source in sources for each in source.endpoints(stacks)) for stacks in states]
    return [*_differing(*principals), *_differing(*endpoints)]


def _differing(before: dict[str, str], after: dict[str, str]) -> Iterator[AccessChange]:
    for who in sorted(before.keys() | after.keys()):
        old, new = before.get(who), after.get(who)
        if old == new:
            continue
        kind = AccessChangeKind.CHANGED
        if old is None or new is None:
            kind = AccessChangeKind.ADDED if old is None else AccessChangeKind.REMOVED
        yield AccessChange(who, kind, old or "", new or "")
