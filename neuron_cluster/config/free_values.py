"""Values that no model of ours types: those for charts, whose keys are the charts' own.

They are what YAML 1.2 makes of them: ``true``, ``false`` and numbers when they stand without quotes, else text. So
``"false"`` stays a text here, and a rule can say so; everywhere else in the file the model decides, and quotes mean
nothing but that ``true`` and ``false`` in them are no switches.
"""

from __future__ import annotations

import re
from typing import Annotated, Any

from pydantic import BeforeValidator

_INTEGER = re.compile(r"[-+]?[0-9]{1,18}\Z")
_NUMBER = re.compile(r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]{1,3})?\Z")
_SWITCHES = {"true": True, "false": False, "null": None, "~": None}


class Quoted(str):
    """The text of a scalar that stands in quotes, or in a block."""

    __slots__ = ()


def typed(value: Any) -> Any:
    """What was read from the file, with plain scalars as YAML 1.2 types them."""
    if isinstance(value, dict):
        return {key: typed(part) for key, part in value.items()}
    if isinstance(value, list):
        return [typed(part) for part in value]
    if isinstance(value, Quoted):
        return str(value)
    return _plain(value) if isinstance(value, str) else value


def _plain(text: str) -> Any:
    if text in _SWITCHES:
        return _SWITCHES[text]
    if _INTEGER.match(text):
        return int(text)
    return float(text) if _NUMBER.match(text) else text


ChartValues = Annotated[dict[str, Any], BeforeValidator(typed)]
"""The values of one chart."""
