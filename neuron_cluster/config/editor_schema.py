"""The JSON schema of the environment file, for editors: completion, descriptions, examples, red underlines."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any

from neuron_cluster.config.environment_config import environment_model

SCHEMA_WORDS = {"ge": "minimum", "le": "maximum"}
"""Pydantic writes its own words for the limits of numbers that are read from text."""


def editor_schema(known: Mapping[str, Sequence[str]] = MappingProxyType({})) -> str:
    """The schema as text. ``known`` names by their key (``region``) the values that an editor offers, the catalog's; of
    a mapping with keys of the author's, those keys. What the field cannot hold is left out."""
    return _text(_schema(known))


def partial_schema(known: Mapping[str, Sequence[str]] = MappingProxyType({})) -> str:
    """The schema of bases and of files that extend one: every key may be absent, and null, which removes it."""
    schema = _schema(known)
    schema["title"] = "Part of a Neuron cluster environment: a base, or a file that extends one"
    for node in (schema, *schema["$defs"].values()):
        for key in ("required", "if", "then", "else"):
            node.pop(key, None)
        if "properties" in node:
            node["properties"] = {key: _removable(field) for key, field in node["properties"].items()}
    return _text(schema)


def _removable(field: dict[str, Any]) -> dict[str, Any]:
    """The field, or null. A list that merges by name may have fewer items than the merged one must have."""
    about: dict[str, Any] = {key: field[key] for key in ("description", "examples") if key in field}
    value = {key: part for key, part in field.items() if key not in (*about, "default")}
    if "$ref" in value.get("items", {}):
        value.pop("minItems", None)
    if isinstance(value.get("additionalProperties"), dict):  # keys of the author's
        value["additionalProperties"] = {"anyOf": [value["additionalProperties"], {"type": "null"}]}
    return {**about, "anyOf": [_kinds_without_choice(value), {"type": "null"}]}


def _kinds_without_choice(value: dict[str, Any]) -> dict[str, Any]:
    """Without `kind`, which may be in the base, a mapping can be of several kinds of a union."""
    if "oneOf" not in value:
        return value
    rest = {key: part for key, part in value.items() if key not in ("oneOf", "discriminator")}
    return {**rest, "anyOf": value["oneOf"]}


def _text(schema: dict[str, Any]) -> str:
    return json.dumps(schema, indent=2) + "\n"


def _schema(known: Mapping[str, Sequence[str]]) -> dict[str, Any]:
    schema = environment_model().model_json_schema(by_alias=True)
    schema["$schema"] = "https://json-schema.org/draft/2020-12/schema"
    schema["title"] = "Neuron cluster environment"
    schema["$defs"] = {name: _as_written(model) for name, model in schema["$defs"].items()}
    schema["properties"] = {key: _as_written(field) for key, field in schema["properties"].items()}
    for node in (schema, *schema["$defs"].values()):
        for key, field in node.get("properties", {}).items():
            if key in known:
                _offer(field, known[key])
    return schema


def _offer(field: dict[str, Any], names: Sequence[str]) -> None:
    """Makes these names the only values that a field accepts."""
    if field.get("type") == "object":
        field["propertyNames"] = {"enum": list(names)}
        return
    value = field.get("items", field)
    value["enum"] = [name for name in names if re.search(value["pattern"], name)]


def _as_written(node: Any) -> Any:
    """Without what a file cannot express (null: leave the key out) and what an editor should not show (titles, the key
    again)."""
    if isinstance(node, list):
        return [_as_written(part) for part in node]
    if not isinstance(node, dict):
        return node
    written = {key: part for key, part in node.items() if not (key == "title" and isinstance(part, str))}
    if written.get("default", ...) is None:
        del written["default"]
    choices = [choice for choice in written.get("anyOf", []) if choice != {"type": "null"}]
    if "anyOf" in written and len(choices) < len(written["anyOf"]):
        del written["anyOf"]
        written = {**(choices[0] if len(choices) == 1 else {"anyOf": choices}), **written}
    return {SCHEMA_WORDS.get(key, key): _as_written(part) for key, part in written.items()}
