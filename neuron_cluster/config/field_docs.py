"""The documentation of one field, from the model and its JSON schema: for ``explain``."""

from __future__ import annotations

import functools
import json
import re
from typing import Any

import yaml
from msgspec import Struct
from pydantic import BaseModel
from pydantic.fields import FieldInfo

from neuron_cluster.config.editor_schema import editor_schema
from neuron_cluster.config.fields import walk_fields
from neuron_cluster.config.schema_reader import Node, SchemaReader
from neuron_cluster.config.sections import when_sections_change

DEFAULT_MARK = re.compile(r"\s*(Default|Absent): ")
"""How a description of the model states the default of a key."""


class KindDoc(Struct, frozen=True):
    """One kind of a union: ``kind: reservation``."""

    kind: str
    meaning: str
    keys: tuple[str, ...]
    """Its keys beside ``kind``."""
    required: tuple[str, ...] = ()
    """The required keys among them."""


class FieldDoc(Struct, frozen=True):
    """One field. ``path`` is its pattern path, ``workstations[].root_volume.size_gib``."""

    path: str
    meaning: str
    about: str
    """The docstring of its type; empty for plain values."""
    allowed: str
    is_required: bool
    """Whether it must be written where the mapping around it is."""
    default: str
    """The meaning of a key that is left out; empty when it is required."""
    is_derived: bool
    """Whether the default depends on the rest of the file."""
    kinds: tuple[KindDoc, ...]
    """Kinds of a union; else empty."""
    only_in_kinds: tuple[str, ...]
    """Kinds of the union around it that have this key; empty when all have it, or there is no union."""
    keys: tuple[str, ...]
    """Pattern paths of the fields right below."""
    example: Any

    @property
    def key(self) -> str:
        return self.path.rpartition(".")[2]

    @property
    def summary(self) -> str:
        """The first sentence of the meaning."""
        return re.split(r"(?<=\.) ", self.meaning, maxsplit=1)[0]


def without_positions(path: str) -> str:
    """``workstations.count`` for ``workstations[].count`` and ``workstations[0].count``."""
    return re.sub(r"\[[0-9]*\]", "", path.strip())


@functools.cache
def pattern_paths() -> dict[str, str]:
    """Pattern path of every field, by the path without positions, in the order of the file."""
    return {without_positions(path): path for path, _ in walk_fields()}


def field_doc(path: str) -> FieldDoc | None:
    """The field at a path, with or without positions in lists; None when there is none."""
    plain = without_positions(path)
    pattern = pattern_paths().get(plain)
    if pattern is None:
        return None
    field, schema, keys = _fields()[pattern], _schema(), tuple(plain.split("."))
    nodes = schema.nodes_at(keys)
    around = schema.kinds(schema.nodes_at(keys[:-1])[0])
    holders = tuple(kind for kind, node in around.items() if keys[-1] in node["properties"])
    meaning, default, is_derived = _default_of(field)
    return FieldDoc(
        path=pattern,
        meaning=meaning,
        about=schema.about(nodes[0]),
        allowed=_allowed(schema, nodes),
        is_required=field.is_required(),
        default=default,
        is_derived=is_derived,
        kinds=tuple(_kind(kind, node) for kind, node in schema.kinds(schema.resolved(nodes[0])).items()),
        only_in_kinds=() if len(holders) == len(around) else holders,
        keys=tuple(pattern_paths()[f"{plain}.{key}"] for key in schema.keys(nodes[0])),
        # The schema sorts the keys of an example; the model has them in the order in which they are written.
        example=field.examples[0] if field.examples else schema.example(nodes[0]),
    )


def field_of_own_key(path: str) -> str | None:
    """The field whose keys are the author's own and of which a path names one, such as a label; None if none is."""
    plain = without_positions(path)
    while "." in plain:
        plain = plain.rpartition(".")[0]
        if pattern := pattern_paths().get(plain):
            node = _schema().nodes_at(tuple(plain.split(".")))[0]
            return pattern if "additionalProperties" in node and node["additionalProperties"] is not False else None
    return None


@functools.cache
def _fields() -> dict[str, FieldInfo]:
    return dict(walk_fields())


@functools.cache
def _schema() -> SchemaReader:
    return SchemaReader(json.loads(editor_schema()))


for _remembered in (pattern_paths, _fields, _schema):
    when_sections_change(_remembered.cache_clear)


def _allowed(schema: SchemaReader, nodes: list[Node]) -> str:
    kinds = [str(node["const"]) for node in nodes if "const" in node]
    return f"one of: {', '.join(kinds)}" if len(kinds) > 1 else schema.allowed(nodes[0])


def _kind(kind: str, node: Node) -> KindDoc:
    keys = tuple(key for key in node["properties"] if key != "kind")
    return KindDoc(kind, node["description"], keys, tuple(key for key in keys if key in node.get("required", ())))


def _default_of(field: FieldInfo) -> tuple[str, str, bool]:
    """The meaning, the default in words, and whether that is derived."""
    meaning, *rest = DEFAULT_MARK.split(field.description or "", maxsplit=1)
    if rest:
        return meaning, rest[1].rstrip("."), rest[0] == "Default"
    if field.is_required():
        return meaning, "", False
    default = field.get_default(call_default_factory=True, validated_data={})
    if isinstance(default, BaseModel):
        default = default.model_dump(mode="json", exclude_none=True)
    elif isinstance(default, list):
        default = [
            item.model_dump(mode="json", exclude_none=True) if isinstance(item, BaseModel) else item for item in default
        ]
    return meaning, "none" if default is None else _value_text(default), False


def _value_text(value: Any) -> str:
    match value:
        case dict():
            return "{" + ", ".join(f"{key}: {_value_text(item)}" for key, item in value.items()) + "}"
        case list():
            return "[" + ", ".join(map(_value_text, value)) + "]"
        case bool():
            return str(value).lower()
        case "":
            return '""'
        case _:
            return str(value)


class _Indented(yaml.SafeDumper):
    """Lists are indented two columns to the right of their key, as in the shipped files."""

    def increase_indent(self, flow: bool = False, indentless: bool = False) -> None:
        del indentless
        super().increase_indent(flow, indentless=False)


def example_yaml(path: str, value: Any) -> str:
    """Returns YAML that has only ``value`` at a pattern path, ``workstations[].root_volume``."""
    *around, key = path.split(".")
    lines: list[str] = []
    indent, dash = 0, ""
    for section in around:
        lines.append(f"{' ' * indent}{dash}{section.removesuffix('[]')}:")
        indent += 2 + len(dash)
        dash = "- " if section.endswith("[]") else ""
    first, *rest = _lines_of(key, value)
    lines.append(f"{' ' * indent}{dash}{first}")
    lines += [f"{' ' * (indent + len(dash))}{line}" for line in rest]
    return "\n".join(lines) + "\n"


def _lines_of(key: str, value: Any) -> list[str]:
    """The lines of one key. Mappings and lists of plain values are on one line."""
    # Beside a mapping no key is written on one line with its braces: what is below it decides.
    text = yaml.dump({"_": {}, key: value}, Dumper=_Indented, sort_keys=False, default_flow_style=None, width=10_000)
    return text.splitlines()[1:]
