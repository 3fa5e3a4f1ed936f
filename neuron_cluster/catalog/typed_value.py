"""Converts a node of a YAML file to the type of a row's annotation, or raises an error with its place.

Scalars are read by their source text and typed by the annotation, never guessed: ``1.30`` is a version where the
annotation is a string. This is also faster than YAML's own typing, which tries patterns on every scalar.
"""

from __future__ import annotations

import functools
import types
from collections.abc import Callable
from datetime import date
from typing import Any, Literal, Union, cast, get_args, get_origin, get_type_hints

from msgspec import NODEFAULT, Struct
from msgspec.structs import fields
from yaml.nodes import MappingNode, Node, ScalarNode, SequenceNode

from neuron_cluster.catalog.frozen_map import FrozenMap

Converter = Callable[[Node], Any]
NOTHING = ("", "~", "null")
BOOLEANS = {"true": True, "false": False}


class TypeMismatchError(Exception):
    """A node with another type than its annotation. ``path`` is its path inside the row, ``line`` counts from 1."""

    def __init__(self, reason: str, node: Node, path: str = "") -> None:
        super().__init__(reason)
        self.reason, self.node, self.path = reason, node, path
        self.line: int = node.start_mark.line + 1

    def below(self, step: str) -> TypeMismatchError:
        """The same error with the path from one level further out."""
        return TypeMismatchError(self.reason, self.node, f"{step}.{self.path}" if self.path else step)


@functools.cache
def converter(annotation: Any) -> Converter:
    """The function that checks and freezes a node of this annotation. Raises TypeError for an unsupported one."""
    if annotation in SCALARS:
        return SCALARS[annotation]
    if isinstance(annotation, type) and issubclass(annotation, Struct):
        return functools.partial(as_record, annotation)
    origin, arguments = get_origin(annotation), get_args(annotation)
    if origin in (Union, types.UnionType):
        (wanted,) = (argument for argument in arguments if argument is not types.NoneType)
        return functools.partial(_as_optional, converter(wanted))
    if origin is tuple:
        return functools.partial(_as_tuple, converter(arguments[0]))
    if origin is FrozenMap:
        return functools.partial(_as_frozen_map, converter(arguments[0]), converter(arguments[1]))
    if origin is Literal:
        return functools.partial(_as_literal, arguments)
    raise TypeError(f"the catalog has no conversion to {annotation}")


def as_record(row_type: Any, node: Node) -> Any:
    """A mapping as a record. Raises TypeMismatchError for an unknown, missing, repeated or ill-typed field."""
    converters, required = _fields(row_type)
    values: dict[str, Any] = {}
    for key, value in _pairs(node):
        field = key.value
        if field not in converters:
            raise TypeMismatchError("unknown field", key, field)
        values[field] = _converted_at(field, converters[field], value)
    for field in required:
        if field not in values:
            raise TypeMismatchError("missing field", node, field)
    return row_type(**values)


@functools.cache
def _fields(row_type: Any) -> tuple[dict[str, Converter], tuple[str, ...]]:
    hints = get_type_hints(row_type)
    required = tuple(field.name for field in fields(row_type) if field.default is NODEFAULT)
    return {name: converter(hints[name]) for name in row_type.__struct_fields__}, required


def _pairs(node: Node) -> list[tuple[ScalarNode, Node]]:
    """The pairs of a mapping. Duplicate keys, which YAML accepts, are an error."""
    if not isinstance(node, MappingNode):
        raise TypeMismatchError("a mapping is needed", node)
    seen: set[str] = set()
    for key, _ in node.value:
        if not isinstance(key, ScalarNode):
            raise TypeMismatchError("a key must be a text", key)
        if key.value in seen:
            raise TypeMismatchError("is given twice", key, key.value)
        seen.add(key.value)
    return cast("list[tuple[ScalarNode, Node]]", node.value)


def _converted_at(step: str, convert: Converter, node: Node) -> Any:
    try:
        return convert(node)
    except TypeMismatchError as error:
        raise error.below(step) from None


def _is_nothing(node: Node) -> bool:
    return isinstance(node, ScalarNode) and not node.style and node.value in NOTHING


def _as_optional(convert: Converter, node: Node) -> Any:
    return None if _is_nothing(node) else convert(node)


def _as_text(node: Node) -> str:
    if not isinstance(node, ScalarNode) or _is_nothing(node):
        raise TypeMismatchError("a text is needed", node)
    return cast("str", node.value)


def _as_boolean(node: Node) -> bool:
    text = _as_text(node)
    if text not in BOOLEANS:
        raise TypeMismatchError(f"true or false is needed, {text!r} was given", node)
    return BOOLEANS[text]


def _as_parsed(parse: Callable[[str], Any], wanted: str, node: Node) -> Any:
    text = _as_text(node)
    try:
        return parse(text)
    except ValueError:
        raise TypeMismatchError(f"{wanted} is needed, {text!r} was given", node) from None


def _as_literal(allowed: tuple[str, ...], node: Node) -> str:
    text = _as_text(node)
    if text not in allowed:
        raise TypeMismatchError(f"one of {', '.join(allowed)} is needed, {text!r} was given", node)
    return text


def _as_tuple(convert: Converter, node: Node) -> tuple[Any, ...]:
    if not isinstance(node, SequenceNode):
        raise TypeMismatchError("a list is needed", node)
    return tuple(_converted_at(str(index), convert, item) for index, item in enumerate(node.value))


def _as_frozen_map(convert_key: Converter, convert: Converter, node: Node) -> FrozenMap[Any, Any]:
    return FrozenMap(
        {
            _converted_at(key.value, convert_key, key): _converted_at(key.value, convert, item)
            for key, item in _pairs(node)
        }
    )


SCALARS: dict[Any, Converter] = {
    str: _as_text,
    bool: _as_boolean,
    int: functools.partial(_as_parsed, int, "a whole number"),
    float: functools.partial(_as_parsed, float, "a number"),
    date: functools.partial(_as_parsed, date.fromisoformat, "a date such as 2026-11-21"),
}
