"""Effects of a deploy on a resource."""

from __future__ import annotations

import enum
import json
from typing import Any

from msgspec import Struct

from local_aws.cloudformation.values import Address, Reference


class EffectKind(enum.StrEnum):
    """The kind of effect on a resource."""

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
    """The effect on one resource. ``cause`` is set when and only when it is replaced."""

    address: Address
    type: str
    kind: EffectKind
    cause: Cause | None = None


def normal_text(value: Any) -> str:
    """A value in the normal form as text, in full: two values are equal when their texts are."""
    return value if isinstance(value, str) else json.dumps(_plain(value), sort_keys=True)


def _plain(value: Any) -> Any:
    if isinstance(value, Reference):
        return f"{value.target}.{value.attribute}" if value.attribute else str(value.target)
    if isinstance(value, dict):
        return {key: _plain(item) for key, item in value.items()}
    return [_plain(item) for item in value] if isinstance(value, list) else value
