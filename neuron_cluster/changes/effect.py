"""What a deploy does to one resource, and why."""

from __future__ import annotations

import enum
import json
from typing import Any

from msgspec import Struct

from neuron_cluster.changes.normal_form import Address, Reference


class EffectKind(enum.StrEnum):
    """What happens to a resource."""

    ADDED = "added"
    REMOVED = "removed"
    UPDATED = "updated in place"
    REPLACED = "replaced"


class Cause(Struct, frozen=True):
    """Why a resource is replaced: ``prop`` cannot change in place.

    Its value differs, or ``through`` is set: it is the same text as before and refers to that replaced resource.
    """

    prop: str
    """Path of the create-only property, ``LustreConfiguration/DeploymentType``."""
    before: str
    after: str
    through: Address | None = None

    def __str__(self) -> str:
        if self.through is not None:
            return f"{self.prop} refers to {self.through}, which would be replaced"
        return f"{self.prop}: {self.before} -> {self.after}"


class Effect(Struct, frozen=True):
    """What happens to one resource. ``cause`` is there when and only when it is replaced."""

    address: Address
    type: str
    kind: EffectKind
    cause: Cause | None = None


def spelled(value: Any) -> str:
    """A value in the normal form as text, whole: two values are the same when their texts are."""
    return value if isinstance(value, str) else json.dumps(_plain(value), sort_keys=True)


def _plain(value: Any) -> Any:
    if isinstance(value, Reference):
        return f"{value.target}.{value.attribute}" if value.attribute else str(value.target)
    if isinstance(value, dict):
        return {key: _plain(item) for key, item in value.items()}
    return [_plain(item) for item in value] if isinstance(value, list) else value
