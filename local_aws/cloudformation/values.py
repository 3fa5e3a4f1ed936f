"""Parts of a resolved value other than plain data."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from msgspec import Struct


class Unknown:
    """A value that only the deployment can tell."""

    def __repr__(self) -> str:
        return "{{changeSet:KNOWN_AFTER_APPLY}}"  # CloudFormation's own text for it


UNKNOWN: Final = Unknown()


class NoValue:
    """``AWS::NoValue``: the property is as if it were not written."""


NO_VALUE: Final = NoValue()


class Address(Struct, frozen=True, order=True):
    """One resource of one stack."""

    stack: str
    logical_id: str

    def __str__(self) -> str:
        return f"{self.stack}/{self.logical_id}"


class Reference(Struct, frozen=True):
    """The value that a resource will have: of ``Ref`` when ``attribute`` is empty, else of ``Fn::GetAtt``."""

    target: Address
    attribute: str = ""


class Unresolved(dict[str, Any]):
    """A function that cannot be computed before the deployment, its arguments resolved."""


def is_known(value: Any) -> bool:
    """Whether the value is plain data, all of it."""
    kind = type(value)
    if kind is str:
        return True
    if kind is dict:
        return all(map(is_known, value.values()))
    if kind is list:
        return all(map(is_known, value))
    return not isinstance(value, Unknown | Reference | Unresolved)


def holds_unknown(value: Any) -> bool:
    """Whether any part of the value is UNKNOWN; a reference is not."""
    if isinstance(value, Mapping):
        return any(map(holds_unknown, value.values()))
    if isinstance(value, list):
        return any(map(holds_unknown, value))
    return value is UNKNOWN


def as_text(value: Any) -> str:
    """A scalar as CloudFormation writes it into a string."""
    return str(value).lower() if isinstance(value, bool) else str(value)
