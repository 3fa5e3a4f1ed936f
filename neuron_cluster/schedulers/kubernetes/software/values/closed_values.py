"""The base of all values models: what is not in the model cannot be written, and what is written has its own type."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self, cast

import msgspec
from msgspec import Struct


class ClosedValues(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, rename="camel"):
    """A part of a chart's values. Keys are the chart's own: camel case of the field's name, or the ``name`` it states.

    A field that is ``UNSET`` is left out, so that the chart's default holds. ``None`` is rejected: Helm would read it
    as "delete the default", and it does not survive CDK's language border.
    """

    def as_values(self) -> Mapping[str, Any]:
        """Returns the chart's values as plain data. Raises ``msgspec.ValidationError`` for a value of another type."""
        plain = msgspec.json.decode(msgspec.json.encode(self))
        msgspec.convert(plain, type(self), strict=True)
        return cast("Mapping[str, Any]", plain)

    @classmethod
    def read(cls, values: Mapping[str, Any]) -> Self:
        """The model of plain values. Raises ``msgspec.ValidationError`` for an unknown key or another type."""
        return msgspec.convert(values, cls, strict=True)
