"""Properties that cannot be read back, because the service has no answer that holds them."""

from __future__ import annotations

import functools
from collections.abc import Mapping
from importlib import resources
from typing import Any

import yaml
from msgspec import Struct


class Unreadable(Struct, frozen=True):
    """One property of one type."""

    path: str
    """``Code/ZipFile``; ``*`` stands for every item of a list."""
    operation: str
    """The one that describes the resource: ``eks:DescribeAddon``."""
    within: str
    """Where in its answer the property would stand, in the API's spelling; empty: next to the first members."""
    member: str
    """The name that it would have there."""
    reason: str


@functools.cache
def unreadable() -> Mapping[str, Mapping[str, Unreadable]]:
    """Returns the properties by type and path."""
    text = resources.files("local_aws.resource_types").joinpath("unreadable.yaml").read_text(encoding="utf-8")
    rows: dict[str, dict[str, dict[str, str]]] = yaml.safe_load(text)
    return {kind: {path: Unreadable(path, **row) for path, row in paths.items()} for kind, paths in rows.items()}


def readable_part(type_name: str, properties: Mapping[str, Any]) -> dict[str, Any]:
    """The properties without those that cannot be read back."""
    left = unreadable().get(type_name, {})
    parts = {name: _without(value, name, left) for name, value in properties.items() if name not in left}
    return {name: part for name, part in parts.items() if part != {} or properties[name] == {}}


def _without(value: Any, path: str, left: Mapping[str, Unreadable]) -> Any:
    if isinstance(value, Mapping):
        return {
            name: _without(item, f"{path}/{name}", left) for name, item in value.items() if f"{path}/{name}" not in left
        }
    if isinstance(value, list):
        return [_without(item, f"{path}/*", left) for item in value]
    return value
