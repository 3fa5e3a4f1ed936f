"""The outer form of a template's sections: what is a text, a list or a map there."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Annotated, Any

import msgspec
from msgspec import Meta, Struct

Scalar = str | int | float | bool
Count = Annotated[int, Meta(ge=0)] | Annotated[str, Meta(pattern="^[0-9]+$")]
Number = int | float | Annotated[str, Meta(pattern=r"^-?[0-9]+(\.[0-9]+)?$")]
PARAMETER_TYPE = re.compile(
    r"String|Number|List<Number>|CommaDelimitedList|AWS::\w+::\w+(::\w+)?(<.+>)?|List<(String|AWS::\w+::\w+(::\w+)?)>"
)


class Declaration(Struct, forbid_unknown_fields=True, rename="pascal"):
    """One of ``Parameters``."""

    type: str
    default: Scalar | list[Scalar] = ""
    allowed_values: list[Scalar] = []
    allowed_pattern: str = ""
    constraint_description: str = ""
    description: str = ""
    max_length: Count = 0
    min_length: Count = 0
    max_value: Number = 0
    min_value: Number = 0
    no_echo: bool | str = False


class Definition(Struct, rename="pascal"):
    """One of ``Resources``."""

    type: str
    properties: dict[str, Any] | None = None
    depends_on: str | list[str] = ""
    condition: str = ""
    deletion_policy: str = ""
    update_replace_policy: str = ""
    metadata: dict[str, Any] | None = None


class Assertion(Struct, rename="pascal"):
    """An assertion of a rule."""

    assert_: dict[str, Any] = msgspec.field(name="Assert")
    assert_description: str = ""


class Rule(Struct, rename="pascal"):
    """One of ``Rules``."""

    assertions: list[Assertion]
    rule_condition: dict[str, Any] = {}


class Output(Struct, rename="pascal"):
    """One of ``Outputs``; that it has a value is said in CloudFormation's words elsewhere."""

    condition: str = ""
    export: dict[str, Any] = {}


ENTRIES: Mapping[str, Any] = {
    "Parameters": Declaration,
    "Rules": Rule,
    "Mappings": dict[str, dict[str, Any]],
    "Conditions": dict[str, Any],
    "Resources": Definition,
    "Outputs": Output,
}
"""The type of an entry of each section, as far as it is known without its functions."""
NAMED = {"Parameters": "Parameter", "Outputs": "Output"}
"""Sections whose names are letters and digits, as those of resources are, with the word for one entry."""


def misshapen(document: Mapping[str, Any]) -> str | None:
    """Returns the part of a template that is not of its form, with its place; None when all is."""
    for section, form in ENTRIES.items():
        for name, entry in (document.get(section) or {}).items():
            if section in NAMED and not str(name).isalnum():
                return f"{NAMED[section]} name {name} is non alphanumeric."
            try:
                _check_declaration(msgspec.convert(entry, form))
            except msgspec.ValidationError as error:
                return f"[/{section}/{name}] {error}"
    try:
        msgspec.convert(document.get("Transform", ""), str | list[str])
    except msgspec.ValidationError as error:
        return f"[/Transform] {error}"
    return _null_in(document["Resources"])


def _check_declaration(entry: Any) -> None:
    if isinstance(entry, Declaration):
        try:
            re.compile(entry.allowed_pattern)
        except re.error as error:
            raise msgspec.ValidationError(f"AllowedPattern is no regular expression: {error}") from error
        if not PARAMETER_TYPE.fullmatch(entry.type):
            raise msgspec.ValidationError(f"Unrecognized parameter type: {entry.type}")


def _null_in(resources: Mapping[str, Any]) -> str | None:
    waiting = [(f"/Resources/{name}/Properties", each.get("Properties")) for name, each in resources.items()]
    while waiting:
        path, node = waiting.pop()
        items = node.items() if isinstance(node, Mapping) else enumerate(node) if isinstance(node, list) else ()
        for key, value in items:
            if value is None:
                return f"[{path}/{key}] 'null' values are not allowed in templates"
            waiting.append((f"{path}/{key}", value))
    return None
