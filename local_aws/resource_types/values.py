"""One property's value as a parameter of the API, and back."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from local_aws.resource_types.binding import Binding


def to_parameter(binding: Binding, name: str, value: Any) -> Any:
    """The value in the form that the API takes; spelling and scalar types follow the model later."""
    if binding.rename:
        value = _renamed(value, name, dict(binding.rename))
    if name in binding.attributes_map:
        return _text(value)
    if name in binding.json_text and not isinstance(value, str):
        return json.dumps(value, ensure_ascii=False)
    return value


def to_property(binding: Binding, name: str, value: Any) -> Any:
    """The value as CloudFormation has it, with whole numbers as integers."""
    if value is None:
        return None
    if name in binding.attributes_map:
        value = _typed(value, binding.attributes_map[name])
    if name in binding.json_text and isinstance(value, str):
        value = _parsed(value)
    if binding.rename:
        value = _renamed_back(value, name, dict(binding.rename))
    return plain(value)


def _text(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return json.dumps(value) if isinstance(value, Mapping | list) else str(value)


def _typed(value: Any, kind: str) -> Any:
    if kind == "boolean":
        return str(value).lower() == "true"
    if kind == "integer":
        return int(value)
    return _parsed(value) if kind in ("object", "array") and isinstance(value, str) else value


def _parsed(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        return text


def plain(value: Any) -> Any:
    """The value as JSON has it, with whole numbers as integers."""
    if isinstance(value, Mapping):
        return {name: plain(each) for name, each in value.items()}
    if isinstance(value, list):
        return [plain(each) for each in value]
    if isinstance(value, float) and value.is_integer():
        return int(value)
    return value.isoformat() if hasattr(value, "isoformat") else value


def _renamed(value: Any, path: str, names: Mapping[str, str]) -> Any:
    if isinstance(value, list):
        return [_renamed(each, f"{path}/*", names) for each in value]
    if not isinstance(value, Mapping):
        return value
    return {names.get(f"{path}/{k}", k): _renamed(each, f"{path}/{k}", names) for k, each in value.items()}


def _renamed_back(value: Any, path: str, names: Mapping[str, str]) -> Any:
    if isinstance(value, list):
        return [_renamed_back(each, f"{path}/*", names) for each in value]
    if not isinstance(value, Mapping):
        return value
    back = {member: key.rpartition("/")[2] for key, member in names.items() if key.rpartition("/")[0] == path}
    return {back.get(k, k): _renamed_back(each, f"{path}/{back.get(k, k)}", names) for k, each in value.items()}
