"""The fields of a pod and a node that kube-scheduler compares: node selector terms, taints and tolerations.

Rows of the catalog contain these types as well: this module imports nothing of the toolkit.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Literal

from msgspec import Struct

TaintEffect = Literal["NoSchedule", "PreferNoSchedule", "NoExecute"]
PREFERENCE: TaintEffect = "PreferNoSchedule"
"""The effect that the scheduler may ignore."""


class Taint(Struct, frozen=True):
    """A taint of a node. An empty value is none."""

    key: str
    value: str
    effect: TaintEffect

    def __str__(self) -> str:
        """As ``kubectl taint`` writes it: ``key=value:NoSchedule``."""
        return f"{self.key}{f'={self.value}' if self.value else ''}:{self.effect}"


class Toleration(Struct, frozen=True, kw_only=True):
    """A toleration of a pod. A key or an effect that is None stands for all."""

    key: str | None = None
    operator: Literal["Exists", "Equal"]
    value: str | None = None
    effect: TaintEffect | None = None

    def tolerates(self, taint: Taint) -> bool:
        """Whether it admits the pod to nodes with this taint."""
        return (
            self.effect in (None, taint.effect)
            and self.key in (None, taint.key)
            and (self.operator == "Exists" or (self.value or "") == taint.value)
        )

    def as_manifest(self) -> dict[str, str]:
        """The entry of ``tolerations`` in a manifest."""
        fields: dict[str, Any] = {
            "key": self.key,
            "effect": self.effect,
            "operator": self.operator,
            "value": self.value,
        }
        return {name: value for name, value in fields.items() if value is not None}


class NodeSelectorRequirement(Struct, frozen=True, kw_only=True):
    """One expression of a node selector term."""

    key: str
    operator: Literal["In", "NotIn", "Exists", "DoesNotExist", "Gt", "Lt"]
    values: tuple[str, ...] = ()

    def matches(self, value: str | None) -> bool:
        """Whether a node with this value of the label meets it; None: the node has no such label."""
        match self.operator:
            case "In":
                return value in self.values
            case "NotIn":
                return value not in self.values
            case "Exists":
                return value is not None
            case "DoesNotExist":
                return value is None
        return self._compares(value)

    def _compares(self, value: str | None) -> bool:
        try:
            number, bound = int(value or ""), int("".join(self.values))
        except ValueError:
            return False
        return number > bound if self.operator == "Gt" else number < bound


class NodeSelectorTerm(Struct, frozen=True, kw_only=True):
    """A node matches the term when it meets all expressions, and the affinity when it matches one of its terms."""

    match_expressions: tuple[NodeSelectorRequirement, ...]


def toleration_for(taint: Taint) -> Toleration:
    """The toleration of exactly this taint."""
    if taint.value:
        return Toleration(key=taint.key, operator="Equal", value=taint.value, effect=taint.effect)
    return toleration_of_any_value(taint)


def toleration_of_any_value(taint: Taint) -> Toleration:
    """The toleration of every taint with this key and effect."""
    return Toleration(key=taint.key, operator="Exists", effect=taint.effect)


def tolerates(tolerations: Sequence[Toleration], taint: Taint) -> bool:
    """Whether one of them admits a pod to nodes with this taint."""
    return any(each.tolerates(taint) for each in tolerations)


def untolerated(taints: Iterable[Taint], tolerations: Sequence[Toleration]) -> list[Taint]:
    """The taints that keep a pod with these tolerations from a node."""
    return [each for each in taints if each.effect != PREFERENCE and not tolerates(tolerations, each)]
