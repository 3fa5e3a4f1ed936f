"""One resource of a template, its properties resolved as far as the given templates can tell."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class TemplateResource:
    """``properties`` hold plain values, ``Reference`` and ``UNKNOWN``; ``body`` is the resource as written."""

    stack: str
    logical_id: str
    type_name: str
    properties: Mapping[str, Any]
    body: Mapping[str, Any]
