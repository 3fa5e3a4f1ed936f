"""Which names a piece of a template refers to."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from neuron_cluster.local_aws.engine.template import invalid_template

SUBSTITUTION = re.compile(r"\$\{(!?)([^${}]+)\}")
"""A ``${Name}`` of Fn::Sub; ``${!Name}`` is literal."""
PSEUDO_PARAMETERS = frozenset(
    f"AWS::{name}"
    for name in ("AccountId", "NotificationARNs", "NoValue", "Partition", "Region", "StackId", "StackName", "URLSuffix")
)


def substitution(argument: Any) -> tuple[str, Mapping[str, Any]]:
    """Text and variables of a Fn::Sub. Raises ServiceError ``ValidationError`` for anything else."""
    match argument:
        case str():
            return argument, {}
        case [str(text), Mapping() as given]:
            return text, given
    raise invalid_template(
        "Template error: One or more Fn::Sub intrinsic functions don't specify expected arguments. Specify a string as "
        "first argument, and an optional second argument to specify a mapping of values to replace in the string"
    )


def references(node: Any) -> Iterator[str]:
    """Names of parameters and resources in Ref, Fn::GetAtt and Fn::Sub, pseudo parameters left out."""
    for name, _ in _references(node):
        if name not in PSEUDO_PARAMETERS:
            yield name


def causes(node: Any) -> Iterator[tuple[str, str]]:
    """The same with the attribute read, empty for Ref."""
    yield from (found for found in _references(node) if found[0] not in PSEUDO_PARAMETERS)


def _references(node: Any) -> Iterator[tuple[str, str]]:
    if isinstance(node, Mapping):
        for key, value in node.items():
            if key == "Ref" and isinstance(value, str) and len(node) == 1:
                yield value, ""
            elif key == "Fn::GetAtt" and len(node) == 1:
                yield _attribute(value)
                if isinstance(value, list):
                    yield from _references(value[1:])
            elif key == "Fn::Sub":
                yield from _substitutions(value)
            else:
                yield from _references(value)
    elif isinstance(node, list):
        for item in node:
            yield from _references(item)


def _attribute(value: Any) -> tuple[str, str]:
    match value:
        case str():
            logical_id, _, attribute = value.partition(".")
            return logical_id, attribute
        case [logical_id, attribute]:
            return str(logical_id), str(attribute)
    raise invalid_template(
        "Template error: every Fn::GetAtt object requires two non-empty parameters, the resource name and the resource "
        "attribute"
    )


def _substitutions(value: Any) -> Iterator[tuple[str, str]]:
    text, given = substitution(value)
    yield from _references(given)
    for literal, name in SUBSTITUTION.findall(text):
        if not literal and name.strip() not in given:
            logical_id, _, attribute = name.strip().partition(".")
            yield logical_id, attribute
