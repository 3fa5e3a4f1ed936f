"""Output of commands with ``--format json``, compared with their JSON Schemas."""

from __future__ import annotations

import functools
import itertools
import json
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from jsonschema import Draft202012Validator, validators
from jsonschema.exceptions import best_match

from neuron_cluster.cli.json_schemas import described_commands, schema_text

FORMAT = ("--format", "json")
ON_FAILURE = {"Findings", "Finding"}
"""Records of every command, which the tests of a few print."""
Schema = dict[str, Any]
Record = tuple[str, dict[str, Any]]
"""A part of a document, and the name of its definition."""


@functools.cache
def schema(command: str) -> Schema:
    found: Schema = json.loads(schema_text(command))
    return found


def _any_of(of: Any, schemas: Sequence[Schema], instance: Any, whole: Schema) -> Iterator[Any]:
    """As jsonschema's, but nothing is searched for all that is wrong by one of the schemas where another is met."""
    if not any(of.evolve(schema=each).is_valid(instance) for each in schemas):
        yield from Draft202012Validator.VALIDATORS["anyOf"](of, schemas, instance, whole)


Validator = validators.extend(Draft202012Validator, {"anyOf": _any_of})


@functools.cache
def validator(command: str, record: str | None = None) -> Any:
    """Returns the validator of the documents of a command, or of one of its records."""
    whole = schema(command)
    return Validator(whole if record is None else {"$ref": f"#/$defs/{record}", "$defs": whole["$defs"]})


def command_of(arguments: Sequence[str]) -> str | None:
    """The command with a schema that these arguments begin with."""
    name = (" ".join(arguments[:count]) for count in (2, 1))
    return next((each for each in name if each in _described()), None)


@functools.cache
def _described() -> frozenset[str]:
    return frozenset(described_commands())


def assert_has_format(arguments: Sequence[str], printed: str) -> None:
    """Fails where a JSON document differs from the schema of its command; other output is not looked at."""
    command = command_of(arguments)
    asked = FORMAT in itertools.pairwise(arguments)
    if asked and command is not None and "--json-schema" not in arguments and printed:
        error = _flaw(command, printed)
        assert not error, f"{' '.join(arguments)}: {error}"


@functools.lru_cache(maxsize=512)
def _flaw(command: str, printed: str) -> str:
    """Tests print many documents twice."""
    error = best_match(validator(command).iter_errors(json.loads(printed)))
    return f"{error.json_path}: {error.message[-400:]}" if error is not None else ""


def records(command: str, document: Any) -> Iterator[Record]:
    """Every object of a document that a definition describes."""
    return _records(schema(command), document, schema(command)["$defs"])


def _records(of: Schema, value: Any, definitions: Schema) -> Iterator[Record]:
    if "$ref" in of:
        name = of["$ref"].rpartition("/")[2]
        if isinstance(value, dict) and _fits(definitions[name], value):
            yield name, value
            for key, each in value.items():
                yield from _records(definitions[name]["properties"][key], each, definitions)
    for each in of.get("anyOf", ()):
        yield from _records(each, value, definitions)
    if isinstance(value, list):
        for item in value:
            yield from _records(of.get("items", {}), item, definitions)
    if isinstance(value, dict) and isinstance(of.get("additionalProperties"), dict):
        for item in value.values():
            yield from _records(of["additionalProperties"], item, definitions)


def _fits(definition: Schema, value: dict[str, Any]) -> bool:
    return set(definition["required"]) <= set(value) <= set(definition["properties"])


def unseen(command: str, documents: Iterable[Any]) -> list[str]:
    """Properties of the schema that none of these documents has: ``Record.property``."""
    known = {
        f"{name}.{key}"
        for name, each in schema(command)["$defs"].items()
        if name not in ON_FAILURE
        for key in each["properties"]
    }
    seen = {f"{name}.{key}" for each in documents for name, value in records(command, each) for key in value}
    return sorted(known - seen)


def accepted_mutations(command: str, document: Any) -> list[str]:
    """Changes of one object of each record that its schema does not reject: a property without meaning, or one less."""
    first = dict(reversed(list(records(command, document))))
    return [
        f"{name}: {change}"
        for name, value in first.items()
        for change, mutant in _mutants(schema(command)["$defs"][name], value)
        if validator(command, name).is_valid(mutant)
    ]


def _mutants(definition: Schema, value: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    yield "unknown property", {**value, "unknown_property": 1}
    for key in definition["required"]:
        yield f"without {key}", {name: each for name, each in value.items() if name != key}
