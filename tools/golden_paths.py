"""Resources of the golden templates, and paths of their properties."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from write_goldens import GOLDEN, SUFFIX


def golden_environments() -> list[str]:
    """Returns the environments that have golden templates."""
    return sorted(folder.name for folder in GOLDEN.iterdir() if any(folder.glob(f"*{SUFFIX}")))


def golden_resources(environment: str) -> Iterator[tuple[str, str, str, dict[str, Any]]]:
    """Stack, logical id, type and properties of every resource of an environment."""
    for path in sorted((GOLDEN / environment).glob(f"*{SUFFIX}")):
        for logical_id, resource in json.loads(path.read_text(encoding="utf-8"))["Resources"].items():
            yield path.name.removesuffix(SUFFIX), logical_id, resource["Type"], resource.get("Properties", {})


def property_paths(environment: str) -> set[tuple[str, str]]:
    """Type and property path of every value that an environment's templates give."""
    return {
        (kind, path)
        for _, _, kind, properties in golden_resources(environment)
        for path in leaf_paths(properties)
        if path
    }


def leaf_paths(value: Any, path: str = "") -> Iterator[str]:
    """Paths of the values in a piece of template, ``*`` for the items of a list; a function is a value."""
    if isinstance(value, Mapping) and value and not _is_function(value):
        for name, item in value.items():
            yield from leaf_paths(item, f"{path}/{name}" if path else name)
    elif isinstance(value, list) and value:
        for item in value:
            yield from leaf_paths(item, f"{path}/*")
    else:
        yield path


def _is_function(value: Mapping[str, Any]) -> bool:
    return len(value) == 1 and next(iter(value)).startswith(("Ref", "Fn::"))
