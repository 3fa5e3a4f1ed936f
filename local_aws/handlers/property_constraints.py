"""Constraints of a type's registry schema on values: CloudFormation rejects others before it calls a service.

The schemas are a part of what cfn-lint bundles, vendored by a tool for the types that have a handler.
Lists, ranges, lengths, patterns, required and unknown keys; alternatives (``anyOf``) are left to the service. The
messages are those of the validator that CloudFormation uses: aws-cloudformation/cloudformation-resource-schema#114, and
https://github.com/everit-org/json-schema for the others.
"""

from __future__ import annotations

import functools
import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

Schema = Mapping[str, Any]
SCHEMAS = Path(__file__).parent / "schemas"


def schema_path(type_name: str) -> Path:
    """``AWS::EC2::Volume`` is in ``aws-ec2-volume.json``."""
    return SCHEMAS / f"{type_name.replace('::', '-').lower()}.json"


@functools.cache
def vendored_schema(type_name: str) -> Schema | None:
    """The schema of a type; None for one without a file."""
    path = schema_path(type_name)
    schema: Schema | None = json.loads(path.read_bytes()) if path.exists() else None
    return schema


def constraint_violations(type_name: str, properties: Mapping[str, Any]) -> list[str]:
    """Each with the place of its value, as ``#/Tags/0/Key: …``; none for a type without a schema."""
    schema = vendored_schema(type_name)
    return list(_violations(properties, schema, schema.get("definitions", {}), "#")) if schema is not None else []


def _violations(value: Any, schema: Schema, definitions: Mapping[str, Schema], place: str) -> Iterator[str]:
    if "$ref" in schema:
        schema = definitions[schema["$ref"].rpartition("/")[2]]
    if isinstance(value, Mapping):
        yield from (f"{place}: {problem}" for problem in _key_problems(value, schema))
        known = schema.get("properties", {})
        for key in [each for each in value if each in known]:
            yield from _violations(value[key], known[key], definitions, f"{place}/{key}")
    elif isinstance(value, list):
        yield from (f"{place}: {problem}" for problem in _list_problems(value, schema))
        for position, item in enumerate(value):
            yield from _violations(item, schema.get("items", {}), definitions, f"{place}/{position}")
    elif value is not None:
        yield from (f"{place}: {problem}" for problem in _scalar_problems(value, schema))


def _key_problems(value: Mapping[str, Any], schema: Schema) -> Iterator[str]:
    yield from (f"required key [{key}] not found" for key in schema.get("required", ()) if key not in value)
    if schema.get("additionalProperties") is False and "patternProperties" not in schema:
        known = schema.get("properties", {})
        yield from (f"extraneous key [{key}] is not permitted" for key in value if key not in known)


def _list_problems(value: list[Any], schema: Schema) -> Iterator[str]:
    if len(value) < schema.get("minItems", 0):
        yield f"expected minimum item count: {schema['minItems']}, found: {len(value)}"
    if len(value) > schema.get("maxItems", len(value)):
        yield f"expected maximum item count: {schema['maxItems']}, found: {len(value)}"
    if schema.get("uniqueItems") and len({json.dumps(item, sort_keys=True) for item in value}) < len(value):
        yield "array items are not unique"


def _scalar_problems(value: Any, schema: Schema) -> Iterator[str]:
    text = _text(value)
    if "enum" in schema and text not in {_text(each) for each in schema["enum"]}:
        yield "failed validation constraint for keyword [enum]"
    if len(text) < schema.get("minLength", 0):
        yield f"expected minLength: {schema['minLength']}, actual: {len(text)}"
    if len(text) > schema.get("maxLength", len(text)):
        yield f"expected maxLength: {schema['maxLength']}, actual: {len(text)}"
    pattern = _compiled(schema["pattern"]) if "pattern" in schema else None
    if pattern is not None and pattern.search(text) is None:
        yield "failed validation constraint for keyword [pattern]"
    number = _number(text)
    if number is not None and number < schema.get("minimum", number):
        yield f"{text} is not greater or equal to {schema['minimum']}"
    if number is not None and number > schema.get("maximum", number):
        yield f"{text} is not less or equal to {schema['maximum']}"


def _text(value: Any) -> str:
    """CloudFormation takes ``true`` for ``"true"`` and ``5`` for ``"5"``."""
    return str(value).lower() if isinstance(value, bool) else str(value)


def _number(text: str) -> float | None:
    try:
        return float(text)
    except ValueError:
        return None


@functools.cache
def _compiled(pattern: str) -> re.Pattern[str] | None:
    """None for one that is written for another engine than Python's, as with Unicode classes."""
    try:
        return re.compile(pattern, re.ASCII)
    except re.error:
        return None
