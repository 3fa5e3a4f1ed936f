"""The answer of an admission policy in CEL to a request, as the API server evaluates it."""

from __future__ import annotations

import functools
from collections.abc import Mapping, Sequence
from typing import Any

import celpy
from celpy import celtypes
from celpy.adapter import json_to_cel


def rejections(
    policy: Mapping[str, Any],
    new: Mapping[str, Any],
    old: Mapping[str, Any] | None = None,
    *,
    kind: str | None = None,
    groups: Sequence[str] = (),
) -> list[str]:
    """The messages with which a request is rejected; empty where it is admitted. Variables in their order.

    ``old`` is None for a creation, ``kind`` that of the object, ``groups`` are those of the user.
    """
    request = {
        "operation": "CREATE" if old is None else "UPDATE",
        "kind": {"kind": kind or new.get("kind", "Pod")},
        "userInfo": {"groups": list(groups)},
    }
    given: dict[str, Any] = {"object": new, "oldObject": old, "request": request}
    activation: dict[str, Any] = {name: json_to_cel(value) for name, value in given.items()}
    activation["variables"] = celtypes.MapType()
    for each in policy["spec"].get("variables", ()):
        activation["variables"][celtypes.StringType(each["name"])] = _value(each["expression"], activation)
    failed = (each for each in policy["spec"]["validations"] if not _value(each["expression"], activation))
    return [_message(each, activation) for each in failed]


def _message(validation: Mapping[str, Any], activation: Mapping[str, Any]) -> str:
    expression = validation.get("messageExpression")
    return str(_value(expression, activation)) if expression else str(validation["message"])


def _value(expression: str, activation: Mapping[str, Any]) -> Any:
    return _program(expression).evaluate(dict(activation))


@functools.cache
def _program(expression: str) -> Any:
    environment = celpy.Environment()
    return environment.program(environment.compile(expression))
