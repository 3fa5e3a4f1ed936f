"""JSON Schemas of msgspec records, as ``report.plain_data`` writes them: all fields, enumerations by their values."""

from __future__ import annotations

import ast
import collections.abc
import enum
import functools
import importlib
import inspect
import itertools
import sys
import textwrap
import types
import typing
from collections.abc import Iterator, Mapping
from datetime import date
from typing import Any

import msgspec

Schema = dict[str, Any]

PLAIN: Mapping[Any, Schema] = {
    bool: {"type": "boolean"},
    int: {"type": "integer"},
    float: {"type": "number"},
    str: {"type": "string"},
    date: {"type": "string", "format": "date"},
    types.NoneType: {"type": "null"},
    Any: {},
    object: {},
}


def field_types(record: type[msgspec.Struct]) -> dict[str, Any]:
    """Annotations of the fields in their order; names that a module imports for type checkers alone are found too."""
    found: dict[str, Any] = {}
    for each in _records_of(record):
        names = {**_names_for_type_checkers(each.__module__), **vars(sys.modules[each.__module__])}
        hints = inspect.get_annotations(each)
        found |= {name: eval(hints[name], names) for name in hints if name in record.__struct_fields__}  # noqa: S307 - this project's own
    return {name: found[name] for name in record.__struct_fields__}


def _records_of(record: type) -> Iterator[type]:
    """The record and those that it extends, which come first."""
    for each in reversed(record.__mro__):
        if issubclass(each, msgspec.Struct) and each is not msgspec.Struct:
            yield each


@functools.cache
def _names_for_type_checkers(module: str) -> Mapping[str, Any]:
    """Returns the names that a module imports below ``if TYPE_CHECKING``."""
    blocks = (node.body for node in ast.parse(inspect.getsource(sys.modules[module])).body if isinstance(node, ast.If))
    imports = [each for block in blocks for each in block if isinstance(each, ast.ImportFrom)]
    return {
        alias.asname or alias.name: getattr(importlib.import_module(str(each.module)), alias.name)
        for each in imports
        for alias in each.names
    }


@functools.cache
def field_docs(record: type) -> Mapping[str, str]:
    """The docstrings below the fields, those of base classes too."""
    found: dict[str, str] = {}
    for each in _records_of(record):
        found |= dict(_docs_in(each))
    return found


def _docs_in(record: type) -> Iterator[tuple[str, str]]:
    (definition,) = ast.parse(textwrap.dedent(inspect.getsource(record))).body
    body = definition.body if isinstance(definition, ast.ClassDef) else []
    for field, below in itertools.pairwise(body):
        if isinstance(field, ast.AnnAssign) and isinstance(field.target, ast.Name) and isinstance(below, ast.Expr):
            yield field.target.id, inspect.cleandoc(str(ast.literal_eval(below.value)))


def schema_of(annotation: Any) -> Schema:
    """Schema of a type; a record is a reference to the definition that has the name of its class."""
    if annotation in PLAIN:
        return dict(PLAIN[annotation])
    origin, arguments = typing.get_origin(annotation), typing.get_args(annotation)
    if origin is None:
        return _schema_of_class(annotation)
    if origin is typing.Literal:
        return {"enum": list(arguments)}
    schemas = [schema_of(each) for each in arguments if each is not Ellipsis]
    if origin in {typing.Union, types.UnionType}:
        return alternatives(schemas)
    if issubclass(origin, collections.abc.Mapping):
        return {"type": "object", "additionalProperties": schemas[1]}
    return {"type": "array", "items": alternatives(schemas)}


def _schema_of_class(given: type) -> Schema:
    """Raises ``TypeError`` for a class of which JSON has nothing."""
    if issubclass(given, enum.Enum):
        return {"enum": [each.value for each in given]}
    if issubclass(given, msgspec.Struct):
        return {"$ref": f"#/$defs/{given.__name__}"}
    raise TypeError(given)


def alternatives(schemas: list[Schema]) -> Schema:
    """Any of these; as a list of types where they have nothing else."""
    different = [each for number, each in enumerate(schemas) if each not in schemas[:number]]
    if len(different) == 1:
        return different[0]
    if {} in different:
        return {}
    if all(list(each) == ["type"] for each in different):
        return {"type": [each["type"] for each in different]}
    return {"anyOf": different}


def records_in(annotation: Any) -> Iterator[type[msgspec.Struct]]:
    """The records that a type names."""
    if isinstance(annotation, type) and issubclass(annotation, msgspec.Struct):
        yield annotation
    for each in typing.get_args(annotation):
        yield from records_in(each)
