"""One resource of a template, with properties resolved as far as the given templates allow."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec import Struct


class TemplateResource(Struct, frozen=True):
    """``properties`` hold plain values, ``Reference`` and ``UNKNOWN``; ``body`` is the resource as written."""

    stack: str
    logical_id: str
    type_name: str
    properties: Mapping[str, Any]
    body: Mapping[str, Any]
