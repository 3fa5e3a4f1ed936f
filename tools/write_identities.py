"""Writes what makes the resources of the goldens themselves: ``python tools/write_identities.py``, once a release.

An identity is a resource's logical id, type and create-only properties: where one of them changes, CloudFormation makes
a new resource. Until the next release CHANGELOG.md names every identity that is not as it was written here.
"""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

from golden_paths import golden_environments, golden_resources

from neuron_cluster.catalog.catalog import load_catalog

FILE = Path(__file__).parents[1] / "tests" / "golden" / "identities.json"

Identities = dict[str, dict[str, str]]
"""The identity of each ``<stack>/<logical id>``, by environment."""


def identities() -> Identities:
    """Returns the identities of the golden templates."""
    return {
        environment: {
            f"{stack}/{logical_id}": identity(kind, properties)
            for stack, logical_id, kind, properties in golden_resources(environment)
        }
        for environment in golden_environments()
    }


def identity(kind: str, properties: dict[str, Any]) -> str:
    """The type, and a digest of what can only be given at creation."""
    fixed = [[list(path), _values(properties, path)] for path in sorted(load_catalog().create_only_properties(kind))]
    return f"{kind} {hashlib.sha256(json.dumps(fixed, sort_keys=True).encode()).hexdigest()[:12]}"


def _values(value: Any, path: tuple[str, ...]) -> Any:
    """Returns the value at a property path; ``*`` goes through the items of a list. None where there is none."""
    if not path:
        return value
    if path[0] == "*":
        return [_values(item, path[1:]) for item in value] if isinstance(value, list) else None
    return _values(value[path[0]], path[1:]) if isinstance(value, dict) and path[0] in value else None


def main() -> None:
    FILE.write_text(json.dumps(identities(), indent=1, sort_keys=True) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
