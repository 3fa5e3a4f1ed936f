"""The JSON Schemas of what commands print with ``--format json``, from the notation in tools/json_formats/.

A file describes one command (``workload.status.yaml``), ``common.yaml`` what several print. ``prints`` has the types
that a command may print, records or lists of them, each with the case in which it does; the record ``Findings`` is
added: every command prints it when it fails. A record has a line for each property: ``name: type - description``, or
``name?: …`` where the property may be absent. Types:

    string, integer, number, boolean, null, date, any    of JSON; a date is a string such as 2026-11-21
    key_path                a key path of the environment file: a list of keys and of indexes
    Name                    the record of this name
    word                    this string; `on_demand | spot` is one of two
    TYPE[], TYPE{}, TYPE?   a list, an object whose keys are data, or null too; parentheses group: (string | integer)[]

``$about`` describes the record. With ``$struct`` it has the fields of that class: their types are the annotations,
their descriptions the docstrings, and lines below it replace or add properties (the type ``field`` keeps that of the
field); ``$without`` lists fields that are not printed. ``$extends`` lists records whose properties come first. Of a
property without a description ``names`` in common.yaml has one, or its record.
"""

from __future__ import annotations

import importlib
import re
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
import yaml
from record_schemas import PLAIN, Schema, alternatives, field_docs, field_types, records_in, schema_of

from neuron_cluster.cli.json_schemas import BETWEEN_WORDS

FOLDER = Path(__file__).parent / "json_formats"
COMMON = "common"
ON_FAILURE = "Findings"
DRAFT = "https://json-schema.org/draft/2020-12/schema"

TYPES: Mapping[str, Schema] = {
    **{schema["type"]: schema for schema in PLAIN.values() if list(schema) == ["type"]},
    "date": {"type": "string", "format": "date"},
    "any": {},
    "key_path": {"type": "array", "items": {"type": ["string", "integer"]}},
}
FIELD = "field"
RECORD = re.compile(r"[A-Z][A-Za-z0-9]*[a-z][A-Za-z0-9]*")
LITERAL = re.compile(r"[a-z0-9][a-z0-9_ .-]*|[A-Z0-9_]+")

Record = Mapping[str, Any]


class JsonFormat(NamedTuple):
    """The notation of one command."""

    command: str
    """Its name: ``workload status``."""
    prints: Mapping[str, str]
    """Types, each with the case in which it is printed."""
    records: Mapping[str, Record]
    """Its own, then the common ones."""
    names: Mapping[str, str]

    @property
    def slug(self) -> str:
        """The name of its page."""
        return self.command.replace(" ", "-")

    @property
    def schema(self) -> Schema:
        """The JSON Schema of the output."""
        definitions = _Definitions(self)
        documents = [type_schema(written) for written in dict.fromkeys([*self.prints, ON_FAILURE])]
        for name in _references(documents):
            definitions.add(name)
        return {
            "$schema": DRAFT,
            "title": f"Output of neuron-cluster {self.command} --format json",
            "anyOf": documents,
            "$defs": definitions.found,
        }


def json_formats() -> Iterator[JsonFormat]:
    """Yields the formats of all commands. Raises ``ValueError`` for a notation that is not complete."""
    common = yaml.safe_load((FOLDER / f"{COMMON}.yaml").read_text("utf-8"))
    for file in sorted(FOLDER.glob("*.yaml")):
        if file.stem != COMMON:
            given = yaml.safe_load(file.read_text("utf-8"))
            records = {**common["records"], **given.get("records", {})}
            yield JsonFormat(file.stem.replace(BETWEEN_WORDS, " "), given["prints"], records, common["names"])


class _Definitions:
    """The schemas of the records that a document refers to, by their names."""

    def __init__(self, notation: JsonFormat) -> None:
        self.found: dict[str, Schema] = {}
        self._notation = notation
        self._structs: dict[str, type[msgspec.Struct]] = {}

    def add(self, name: str) -> None:
        """With everything that it refers to."""
        if name in self.found:
            return
        record = self._notation.records.get(name, {})
        struct = _struct(record["$struct"]) if "$struct" in record else self._structs.get(name)
        if struct is None and not record:
            raise ValueError(f"{self._notation.command}: there is no record {name}")
        self.found[name] = {}
        self.found[name] = self._object(name, record, struct)
        for referred in _references(self.found[name]):
            self.add(referred)
        for key, each in self.found[name]["properties"].items():
            about = each.get("description") or self._described(f"{name}.{key}", each)
            each["description"] = _as_phrase(about)

    def _object(self, name: str, record: Record, struct: type[msgspec.Struct] | None) -> Schema:
        about = record.get("$about") or (_first_paragraph(struct) if struct is not None else "")
        properties = self._fields(struct, record.get("$without", ())) if struct is not None else {}
        lines = self._lines(record)
        for key, line in lines.items():
            property_name = key.removesuffix("?")
            if line.startswith(FIELD) and property_name not in properties:
                raise ValueError(f"{self._notation.command}: {name}.{property_name}: there is no field")
            properties[property_name] = _property(line, properties.get(property_name, {}))
        optional = {key[:-1] for key in lines if key.endswith("?")}
        for key, each in properties.items():
            if "description" not in each and key in self._notation.names:
                each["description"] = self._notation.names[key]
        return {
            **({"description": about} if about else {}),
            "type": "object",
            "additionalProperties": False,
            "required": [key for key in properties if key not in optional],
            "properties": properties,
        }

    def _lines(self, record: Record) -> dict[str, str]:
        lines: dict[str, str] = {}
        for name in record.get("$extends", ()):
            lines |= self._lines(self._notation.records[name])
        return lines | {key: line for key, line in record.items() if not key.startswith("$")}

    def _fields(self, struct: type[msgspec.Struct], without: Any) -> dict[str, Schema]:
        docs, properties = field_docs(struct), {}
        for name, annotation in field_types(struct).items():
            if name not in without:
                self._structs |= {each.__name__: each for each in records_in(annotation)}
                about = {"description": _plain(docs[name])} if name in docs else {}
                properties[name] = {**schema_of(annotation), **about}
        return properties

    def _described(self, where: str, schema: Schema) -> str:
        """Returns the description of the record to which a property refers. Raises ``ValueError`` without one."""
        for referred in _references(schema):
            if about := self.found[referred].get("description"):
                return str(about)
        raise ValueError(f"{self._notation.command}: {where} has no description")


def _struct(path: str) -> type[msgspec.Struct]:
    module, _, name = path.rpartition(".")
    found: type[msgspec.Struct] = getattr(importlib.import_module(module), name)
    return found


def _first_paragraph(struct: type) -> str:
    return _plain((struct.__doc__ or "").split("\n\n")[0])


def _plain(docstring: str) -> str:
    """In the words of JSON, on one line."""
    text = " ".join(docstring.replace("``", "`").split())
    return re.sub(r"\bNone\b", "null", text)


def _as_phrase(text: str) -> str:
    """With a capital letter; a single sentence has no full stop."""
    is_one = text.count(". ") == 0
    return text[:1].upper() + (text[1:].removesuffix(".") if is_one else text[1:])


def _property(line: str, replaced: Schema) -> Schema:
    """``type - description``; without a description that of the field which it replaces."""
    written, _, about = line.partition(" - ")
    about = about or replaced.get("description", "")
    given = {**replaced} if written == FIELD else type_schema(written.strip())
    return {**given, **({"description": about} if about else {})}


def type_schema(written: str) -> Schema:
    """Returns the schema of a type in the notation. Raises ``ValueError`` for a word that is not one."""
    terms = _split(written)
    if len(terms) > 1:
        literals = [each for each in terms if _is_literal(each)]
        others = [type_schema(each) for each in terms if not _is_literal(each)]
        return alternatives([*others, *([{"enum": literals}] if literals else [])])
    (term,) = terms
    for suffix, wrapped in SUFFIXES.items():
        if term.endswith(suffix):
            return wrapped(type_schema(term.removesuffix(suffix)))
    if term.startswith("("):
        return type_schema(term[1:-1])
    return _named(term)


def _named(term: str) -> Schema:
    """Raises ``ValueError`` for a word that is not a type."""
    if term in TYPES:
        return dict(TYPES[term])
    if RECORD.fullmatch(term):
        return {"$ref": f"#/$defs/{term}"}
    if _is_literal(term):
        return {"enum": [term]}
    raise ValueError(f"{term!r} is not a type")


def nullable(schema: Schema) -> Schema:
    """This or null."""
    if "enum" in schema:
        return {"enum": [*schema["enum"], None]}
    if list(schema)[:1] == ["type"] and isinstance(schema["type"], str):
        return {**schema, "type": [schema["type"], "null"]}
    return alternatives([schema, {"type": "null"}])


SUFFIXES: Mapping[str, Callable[[Schema], Schema]] = {
    "?": nullable,
    "[]": lambda items: {"type": "array", "items": items},
    "{}": lambda values: {"type": "object", "additionalProperties": values},
}


def _is_literal(term: str) -> bool:
    return term not in TYPES and not RECORD.fullmatch(term) and LITERAL.fullmatch(term) is not None


def _split(written: str) -> list[str]:
    """At the bars outside of parentheses."""
    parts = re.split(r" \| (?![^(]*\))", written)
    return [part.strip() for part in parts]


def _references(schema: Any) -> Iterator[str]:
    """Names of the records that a schema refers to."""
    if isinstance(schema, dict):
        if "$ref" in schema:
            yield schema["$ref"].rpartition("/")[2]
        for each in schema.values():
            yield from _references(each)
    elif isinstance(schema, list):
        for each in schema:
            yield from _references(each)
