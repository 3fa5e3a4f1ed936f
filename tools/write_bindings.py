"""Writes the vendored schemas and the bindings of the resource types that have no code of their own.

Run by people after a new row in ``handlers/types``, or a new pin of cfn-lint or botocore:
``.venv/bin/python tools/write_bindings.py``.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from typing import Any

import msgspec
from derivation.derive import NotDerivedError, derive
from derivation.type_data import type_data
from registry_schemas import resource_schema

from local_aws.handlers.property_constraints import SCHEMAS, schema_path
from local_aws.resource_types.binding import BINDINGS, Binding

DROPPED = frozenset(
    {"description", "title", "examples", "sourceUrl", "documentationUrl", "$comment", "typeConfiguration"}
)
"""Keys that no program reads."""


def main() -> int:
    written = vendored()
    for path, text in written.items():
        path.write_text(text, encoding="utf-8")
    for path in SCHEMAS.glob("*.json"):
        if path not in written:
            path.unlink()
    derived, failed = derived_bindings()
    BINDINGS.write_text(bindings_text(derived), encoding="utf-8")
    sys.stdout.writelines(f"{name}: {error}\n" for name, error in failed.items())
    return len(failed)


def vendored() -> dict[Any, str]:
    """Returns the text of each schema by path."""
    return {schema_path(name): schema_text(resource_schema(name)) for name in type_data()}


def schema_text(schema: Mapping[str, Any]) -> str:
    """Without descriptions, one line a top-level key."""
    lines = [
        f"{json.dumps(key)}: {json.dumps(stripped(schema[key]), sort_keys=True)}"
        for key in sorted(schema)
        if key not in DROPPED
    ]
    return "{\n" + ",\n".join(lines) + "\n}\n"


def stripped(value: Any, *, is_names: bool = False) -> Any:
    """Without what no program reads; ``is_names`` where the keys are names of properties."""
    if isinstance(value, list):
        return [stripped(each) for each in value]
    if not isinstance(value, Mapping):
        return value
    retained = {key: each for key, each in value.items() if is_names or key not in DROPPED}
    return {key: stripped(each, is_names=key in ("properties", "definitions")) for key, each in retained.items()}


def derived_bindings() -> tuple[dict[str, Binding], dict[str, Exception]]:
    """Returns the bindings by type name, and those that cannot be derived."""
    derived: dict[str, Binding] = {}
    failed: dict[str, Exception] = {}
    for name, data in sorted(type_data().items()):
        try:
            derived[name] = derive(name, resource_schema(name), data)
        except NotDerivedError as error:
            failed[name] = error
    return derived, failed


def bindings_text(derived: Mapping[str, Binding]) -> str:
    return msgspec.json.format(msgspec.json.encode(dict(derived), order="sorted"), indent=1).decode() + "\n"


if __name__ == "__main__":
    sys.exit(main())
