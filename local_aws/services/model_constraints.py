"""Enumerations, patterns and greatest sizes of the service model, which botocore ships and does not check.

Source: botocore's model of the service, which has the code, too, where it has one for this
"""

from __future__ import annotations

import functools
import re
import warnings
from collections.abc import Iterator
from typing import Any

from local_aws.contract import Call
from local_aws.http.protocol import invalid_request

UNICODE_CLASS = "\\p{"
"""Patterns with these are written for another engine; they are of tags only."""
NOT_LISTED_WHOLE = frozenset({"InstanceType"})
"""Enumerations that a service adds to between two releases of its model; which types there are, the catalog says."""


def require_within_model(call: Call) -> None:
    """Refuses a value that is not in the model's list, too long, too large, or does not match its pattern."""
    from moto.core.utils import get_service_model

    model = get_service_model(call.service)
    shape = model.operation_model(call.operation).input_shape
    errors = list(_errors(call.parameters, shape, "")) if shape is not None else []
    if errors:
        plural = "s" if len(errors) > 1 else ""
        raise invalid_request(model, f"{len(errors)} validation error{plural} detected: {'; '.join(errors)}")


def _errors(value: Any, shape: Any, place: str) -> Iterator[str]:
    if shape.type_name == "structure":
        for name, member in value.items():
            yield from _errors(member, shape.members[name], f"{place}.{name}" if place else name)
    elif shape.type_name == "list":
        yield from _beyond_maximum(value, len(value), "length", shape, place)
        for number, member in enumerate(value, start=1):
            yield from _errors(member, shape.member, f"{place}.{number}.member")
    elif shape.type_name == "map":
        for key, member in value.items():
            yield from _errors(key, shape.key, f"{place}.key")
            yield from _errors(member, shape.value, f"{place}.{key}.member")
    elif shape.type_name == "string":
        yield from _text_errors(value, shape, place)
    elif shape.type_name in ("integer", "long", "float", "double"):
        yield from _beyond_maximum(value, value, "value", shape, place)


def _beyond_maximum(value: Any, size: float, what: str, shape: Any, place: str) -> Iterator[str]:
    maximum = shape.metadata.get("max")
    if maximum is not None and size > maximum:
        yield _unsatisfied(value, place, f"have {what} less than or equal to {maximum}")


def _text_errors(value: str, shape: Any, place: str) -> Iterator[str]:
    listed = getattr(shape, "enum", None)
    pattern = shape.metadata.get("pattern")
    yield from _beyond_maximum(value, len(value), "length", shape, place)
    if listed and value not in listed and shape.name not in NOT_LISTED_WHOLE:
        yield _unsatisfied(value, place, f"satisfy enum value set: [{', '.join(listed)}]")
    compiled = _compiled(pattern) if pattern else None
    if compiled is not None and not compiled.fullmatch(value):
        yield _unsatisfied(value, place, f"satisfy regular expression pattern: {pattern}")


def _unsatisfied(value: Any, place: str, constraint: str) -> str:
    return f"Value '{value}' at '{place}' failed to satisfy constraint: Member must {constraint}"


@functools.cache
def _compiled(pattern: str) -> re.Pattern[str] | None:
    """None for one that is written for another engine than Python's."""
    if UNICODE_CLASS in pattern:
        return None
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # "possible nested set", of characters that stand for themselves
        try:
            return re.compile(pattern, re.ASCII)
        except re.error:
            return None
