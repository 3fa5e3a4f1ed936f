"""Changes of each resource, and their reasons."""

from __future__ import annotations

from msgspec import Struct

from neuron_cluster.changes.comparison import Comparison
from neuron_cluster.changes.effects import Effect, EffectKind
from neuron_cluster.changes.replacement_cause import why_replaced
from neuron_cluster.changes.summary.property_change import property_changes


class ResourceChange(Struct, frozen=True):
    """One resource that does not stay as it is."""

    stack: str
    logical_id: str
    type: str
    kind: EffectKind
    why: tuple[str, ...]
    """Properties that change; of a replaced resource, the one that cannot change in place."""


def resource_changes(comparison: Comparison) -> list[ResourceChange]:
    """Every change, by stack and logical id."""
    return [
        ResourceChange(
            effect.address.stack, effect.address.logical_id, effect.type, effect.kind, _why(comparison, effect)
        )
        for effect in comparison.effects()
    ]


def _why(comparison: Comparison, effect: Effect) -> tuple[str, ...]:
    if effect.kind is EffectKind.REPLACED:
        return (why_replaced(comparison, effect.address),)
    if effect.kind is EffectKind.UPDATED:
        return tuple(map(str, property_changes(comparison, effect.address)))
    return ()
