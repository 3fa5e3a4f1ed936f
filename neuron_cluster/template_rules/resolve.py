"""Replaces CloudFormation's functions by what they will give, as far as the templates can tell."""

from __future__ import annotations

import base64
from collections.abc import Mapping
from typing import Any, Final

from neuron_cluster.template_rules.property_tree import UNKNOWN, Reference

Exports = Mapping[str, tuple[str, Any]]
Templates = Mapping[str, Mapping[str, Any]]

_ABSENT: Final = object()


def resolved(value: Any, stack: str, templates: Templates, exports: Exports, region: str | None) -> Any:
    """The value with every function replaced by a plain value, a ``Reference`` or ``UNKNOWN``.

    ``AWS::NoValue`` removes the key or item that holds it, as it does in CloudFormation.
    """
    return _Resolver(stack, templates, exports, region).value(value)


class _Resolver:
    def __init__(self, stack: str, templates: Templates, exports: Exports, region: str | None) -> None:
        self._stack = stack
        self._templates = templates
        self._exports = exports
        self._region = region

    def value(self, value: Any) -> Any:
        if isinstance(value, Mapping):
            if _is_function(value):
                name = next(iter(value))
                return self._function(name, value[name])
            members = {key: self.value(member) for key, member in value.items()}
            return {key: member for key, member in members.items() if member is not _ABSENT}
        if isinstance(value, list):
            return [item for item in map(self.value, value) if item is not _ABSENT]
        return value

    def _function(self, name: str, argument: Any) -> Any:
        match name:
            case "Ref":
                return self._ref(argument)
            case "Fn::GetAtt":
                logical_id, attribute = argument if isinstance(argument, list) else argument.split(".", 1)
                return self._reference(logical_id, attribute)
            case "Fn::ImportValue":
                return self._import(argument)
            case "Fn::Join":
                return self._join(argument)
            case "Fn::Base64":
                return self._base64(argument)
        return UNKNOWN

    def _ref(self, name: Any) -> Any:
        if name == "AWS::NoValue":
            return _ABSENT
        if name == "AWS::Region" and self._region is not None:
            return self._region
        return self._reference(name, "")

    def _reference(self, logical_id: Any, attribute: Any) -> Any:
        is_here = logical_id in self._templates[self._stack].get("Resources", {})
        return Reference(self._stack, logical_id, attribute) if is_here and isinstance(attribute, str) else UNKNOWN

    def _import(self, name: Any) -> Any:
        name = self.value(name)
        if not isinstance(name, str) or name not in self._exports:
            return UNKNOWN
        stack, exported = self._exports[name]
        return _Resolver(stack, self._templates, self._exports, self._region).value(exported)

    def _join(self, argument: Any) -> Any:
        separator, parts = argument
        given = self.value(parts)
        if isinstance(given, list) and all(isinstance(part, str | int) for part in given):
            return str(separator).join(map(str, given))
        return UNKNOWN

    def _base64(self, argument: Any) -> Any:
        given = self.value(argument)
        return base64.b64encode(given.encode()).decode() if isinstance(given, str) else UNKNOWN


def _is_function(value: Mapping[str, Any]) -> bool:
    """An object with one key that names a function."""
    name = next(iter(value), "") if len(value) == 1 else ""
    return name == "Ref" or name.startswith("Fn::")
