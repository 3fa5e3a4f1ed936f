"""Which names a piece of a template refers to, and which resources a resolved value refers to."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from msgspec import Struct

from local_aws.cloudformation.errors import TemplateError
from local_aws.cloudformation.values import Reference

SUBSTITUTION = re.compile(r"\$\{(!?)([^${}]+)\}")
"""A ``${Name}`` of Fn::Sub; ``${!Name}`` is literal."""
PSEUDO_PARAMETERS = frozenset(
    f"AWS::{name}"
    for name in ("AccountId", "NotificationARNs", "NoValue", "Partition", "Region", "StackId", "StackName", "URLSuffix")
)


class WrittenReference(Struct, frozen=True):
    """A Ref, Fn::GetAtt or ``${Name}`` of Fn::Sub, as a template has it."""

    path: str
    """Where the function is, from the searched node on: ``Statement[0].Resource``."""
    name: str
    """A resource or a parameter."""
    attribute: str = ""
    """The attribute of Fn::GetAtt."""


def written_references(node: Any, path: str = "", *, strict: bool = True) -> Iterator[WrittenReference]:
    """Every reference in a piece of a template; pseudo parameters are left out.

    Raises TemplateError for a malformed Fn::GetAtt or Fn::Sub; skips it where ``strict`` is false.
    """
    if isinstance(node, dict):
        function = next(iter(node)) if len(node) == 1 else ""
        if function in _READERS:
            try:
                found = list(_READERS[function](node[function], path, strict))
            except TemplateError:
                if strict:
                    raise
                return
            yield from found
            return
        for key, member in node.items():
            if isinstance(member, dict | list):
                yield from written_references(member, f"{path}.{key}" if path else str(key), strict=strict)
    elif isinstance(node, list):
        for position, item in enumerate(node):
            if isinstance(item, dict | list):
                yield from written_references(item, f"{path}[{position}]", strict=strict)


def imported_names(node: Any) -> Iterator[Any]:
    """The argument of every Fn::ImportValue in a piece of a template."""
    if isinstance(node, Mapping):
        for key, member in node.items():
            if key == "Fn::ImportValue":
                yield member
            else:
                yield from imported_names(member)
    elif isinstance(node, list):
        for item in node:
            yield from imported_names(item)


def references(value: Any) -> Iterator[Reference]:
    """Every reference in a resolved value."""
    if isinstance(value, Reference):
        yield value
    elif isinstance(value, dict):
        for item in value.values():
            yield from references(item)
    elif isinstance(value, list):
        for item in value:
            yield from references(item)


def substitution(argument: Any) -> tuple[str, Mapping[str, Any]]:
    """Text and variables of a Fn::Sub. Raises TemplateError for anything else."""
    match argument:
        case str():
            return argument, {}
        case [str(text), Mapping() as given]:
            return text, given
    raise TemplateError("sub_arguments")


def _of_ref(argument: Any, path: str, strict: bool) -> Iterator[WrittenReference]:
    if isinstance(argument, str):
        yield from _unless_pseudo(path, argument)
    else:
        yield from written_references(argument, path, strict=strict)


def _of_attribute(argument: Any, path: str, strict: bool) -> Iterator[WrittenReference]:
    match argument:
        case str():
            yield from _unless_pseudo(path, argument)
        case [logical_id, attribute]:
            yield WrittenReference(path, str(logical_id), str(attribute))
            yield from written_references(attribute, path, strict=strict)
        case _:
            raise TemplateError("get_att")


def _of_substitution(argument: Any, path: str, strict: bool) -> Iterator[WrittenReference]:
    text, given = substitution(argument)
    yield from written_references(given, path, strict=strict)
    for literal, name in SUBSTITUTION.findall(text):
        if not literal and name.strip() not in given:
            yield from _unless_pseudo(path, name.strip())


def _unless_pseudo(path: str, dotted: str) -> Iterator[WrittenReference]:
    logical_id, _, attribute = dotted.partition(".")
    if logical_id not in PSEUDO_PARAMETERS:
        yield WrittenReference(path, logical_id, attribute)


_READERS = {"Ref": _of_ref, "Fn::GetAtt": _of_attribute, "Fn::Sub": _of_substitution}
