"""The objects of a manifest in a template, where values of other stacks may stand between its parts."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

REFERENCE = "<reference>"


def objects_of(resource: Mapping[str, Any]) -> list[dict[str, Any]]:
    """With ``<reference>`` for each value that the template imports."""
    text = resource["Properties"]["Manifest"]
    if isinstance(text, Mapping):
        text = "".join(part if isinstance(part, str) else REFERENCE for part in text["Fn::Join"][1])
    found: list[dict[str, Any]] = json.loads(text)
    return found
