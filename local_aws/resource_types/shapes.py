"""CloudFormation properties and API parameters: the same values with two spellings.

CloudFormation writes ``LogGroupName``, takes ``"1200"`` for a number and tags as a list; the API's model writes
``logGroupName``, requires an integer and, for some services, a map. The shapes of botocore's model decide, so that no
service is known here. Names that the model does not have are kept as they are: botocore rejects them.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

WHOLE_NUMBER = re.compile(r"[+-]?\d+")
NUMBER = re.compile(r"[+-]?\d+(\.\d+)?([eE][+-]?\d+)?")


def to_api(client: Any, operation: str, parameters: Mapping[str, Any]) -> dict[str, Any]:
    """The parameters in the spelling and the types of the operation's input."""
    shape = client.meta.service_model.operation_model(operation).input_shape
    fitted: dict[str, Any] = _encode(parameters, shape)
    return fitted


def from_api(client: Any, operation: str, answer: Mapping[str, Any]) -> dict[str, Any]:
    """An answer of the operation in CloudFormation's spelling; keys of maps stay the user's."""
    shape = client.meta.service_model.operation_model(operation).output_shape
    properties: dict[str, Any] = decoded({k: v for k, v in answer.items() if k != "ResponseMetadata"}, shape)
    return properties


def _encode(value: Any, shape: Any) -> Any:
    if shape.type_name == "structure" and isinstance(value, Mapping):
        return {name: _encode(v, s) if s else v for name, s, v in (_member(shape, k, v) for k, v in value.items())}
    if shape.type_name == "map":
        if isinstance(value, Mapping):
            return {str(k): _encode(v, shape.value) for k, v in value.items()}
        if _is_tag_list(value):
            return {tag["Key"]: tag["Value"] for tag in value}
    if shape.type_name == "list" and isinstance(value, Sequence) and not isinstance(value, str):
        return [_encode(v, shape.member) for v in value]
    return _fit_scalar(value, shape.type_name)


def _member(shape: Any, name: str, value: Any) -> tuple[str, Any, Any]:
    for spelling in (name, name[:1].lower() + name[1:], name[:1].upper() + name[1:]):
        if spelling in shape.members:
            return spelling, shape.members[spelling], value
    return name, None, value


def _is_tag_list(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(tag, Mapping) and set(tag) == {"Key", "Value"} for tag in value)


def _fit_scalar(value: Any, type_name: str) -> Any:
    if isinstance(value, str):
        if type_name in ("integer", "long") and WHOLE_NUMBER.fullmatch(value):
            return int(value)
        if type_name in ("float", "double") and NUMBER.fullmatch(value):
            return float(value)
        if type_name == "boolean" and value.lower() in ("true", "false"):
            return value.lower() == "true"
    if type_name == "string" and isinstance(value, bool):
        return "true" if value else "false"
    if type_name == "string" and isinstance(value, int | float):
        return str(value)
    return value


def decoded(value: Any, shape: Any) -> Any:
    if shape is not None and shape.type_name == "structure" and isinstance(value, Mapping):
        return {k[:1].upper() + k[1:]: decoded(v, shape.members.get(k)) for k, v in value.items()}
    if shape is not None and shape.type_name == "list" and isinstance(value, list):
        return [decoded(v, shape.member) for v in value]
    return value
