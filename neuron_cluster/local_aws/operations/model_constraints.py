"""Enumerations, patterns and greatest lengths of the service model, which botocore ships and does not check.

Source: botocore's model of the service, which has the code, too, where it has one for this
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator, Mapping
from typing import Any

from neuron_cluster.local_aws.service import Call, OperationFunction, ServiceError

UNICODE_CLASS = "\\p{"
"""Patterns with these are written for another engine; they are of tags only."""
EXCEPTIONS = ("InvalidParameterException", "ValidationException")
"""What a service calls a value out of its model: the first one that the model knows, else the last."""


def within_model(function: OperationFunction) -> OperationFunction:
    """The operation, refused when a value is not in the model's list, too long, or does not match its pattern."""

    @functools.wraps(function)
    def checked(call: Call) -> Mapping[str, Any]:
        from moto.core.utils import get_service_model

        model = get_service_model(call.service)
        errors = list(_errors(call.parameters, model.operation_model(call.operation).input_shape, ""))
        if errors:
            known = [error.name for error in model.error_shapes]
            code = next((name for name in EXCEPTIONS if name in known), EXCEPTIONS[-1])
            plural = "s" if len(errors) > 1 else ""
            raise ServiceError(code, f"{len(errors)} validation error{plural} detected: {'; '.join(errors)}")
        return function(call)

    return checked


def _errors(value: Any, shape: Any, place: str) -> Iterator[str]:
    if shape.type_name == "structure":
        for name, member in value.items():
            yield from _errors(member, shape.members[name], f"{place}.{name}" if place else name)
    elif shape.type_name == "list":
        for number, member in enumerate(value, start=1):
            yield from _errors(member, shape.member, f"{place}.{number}.member")
    elif shape.type_name == "map":
        for key, member in value.items():
            yield from _errors(key, shape.key, f"{place}.key")
            yield from _errors(member, shape.value, f"{place}.{key}.member")
    elif shape.type_name == "string":
        yield from _text_errors(value, shape, place)


def _text_errors(value: str, shape: Any, place: str) -> Iterator[str]:
    listed = getattr(shape, "enum", None)
    pattern = shape.metadata.get("pattern")
    longest = shape.metadata.get("max")
    if longest is not None and len(value) > longest:
        yield (
            f"Value '{value}' at '{place}' failed to satisfy constraint: "
            f"Member must have length less than or equal to {longest}"
        )
    if listed and value not in listed:
        yield (
            f"Value '{value}' at '{place}' failed to satisfy constraint: "
            f"Member must satisfy enum value set: [{', '.join(listed)}]"
        )
    if pattern and UNICODE_CLASS not in pattern and not re.fullmatch(pattern, value):
        yield (
            f"Value '{value}' at '{place}' failed to satisfy constraint: "
            f"Member must satisfy regular expression pattern: {pattern}"
        )
