"""Changes of each stack: how many of its resources change."""

from __future__ import annotations

import enum
from collections import Counter
from collections.abc import Mapping, Sequence

from msgspec import Struct

from neuron_cluster.changes.effects import EffectKind
from neuron_cluster.changes.stack_set import Template
from neuron_cluster.changes.summary.resource_change import ResourceChange


class StackState(enum.StrEnum):
    """The change of a stack by a deploy."""

    NEW = "new"
    CHANGED = "changed"
    OUTPUTS_ONLY = "no resource changes"
    """Something other than the properties of its resources changes, such as an output."""
    UNCHANGED = "unchanged"
    DELETED = "deleted"
    """No longer in the file; a deploy deletes it after everything else."""


class StackChange(Struct, frozen=True):
    """One stack, and how many of its resources do not stay as they are."""

    stack: str
    state: StackState
    added: int
    updated: int
    replaced: int
    removed: int


def stack_changes(
    before: Mapping[str, Template], after: Mapping[str, Template], changes: Sequence[ResourceChange]
) -> list[StackChange]:
    """Every stack, those that are no longer in the file last."""
    kinds = (EffectKind.ADDED, EffectKind.UPDATED, EffectKind.REPLACED, EffectKind.REMOVED)
    found = []
    for stack in dict.fromkeys([*after, *before]):
        counted = Counter(change.kind for change in changes if change.stack == stack)
        found.append(StackChange(stack, _state(stack, before, after, counted), *(counted[kind] for kind in kinds)))
    return found


def _state(
    stack: str, before: Mapping[str, Template], after: Mapping[str, Template], counted: Counter[EffectKind]
) -> StackState:
    if stack not in after:
        return StackState.DELETED
    if stack not in before:
        return StackState.NEW
    if counted:
        return StackState.CHANGED
    is_equal = _without_order(before[stack]) == _without_order(after[stack])
    return StackState.UNCHANGED if is_equal else StackState.OUTPUTS_ONLY


def _without_order(template: Template) -> Template:
    """The template without `DependsOn`: CloudFormation has no update for an edit of the order alone."""
    resources = template.get("Resources", {})
    kept = {name: {**resource, "DependsOn": None} for name, resource in resources.items()}
    return {**template, "Resources": kept}
