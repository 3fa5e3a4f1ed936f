"""The transform AWS::LanguageExtensions: ``Fn::ForEach`` written out, and parameters in deletion policies."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from local_aws.cloudformation.errors import TemplateError

LOOP = re.compile(r"Fn::ForEach::([A-Za-z0-9]+)")
SECTIONS = ("Conditions", "Resources", "Outputs")
"""Sections that may have loops."""
POLICIES = ("DeletionPolicy", "UpdateReplacePolicy")
LIST_TYPES = ("CommaDelimitedList", "List<")


def expanded(document: Mapping[str, Any], given: Mapping[str, str]) -> dict[str, Any]:
    """The document without loops; ``given`` are the values of parameters that the caller has, others have defaults.

    Raises TemplateError for a loop that is malformed, in another section or with a list that is not known.
    """
    loops = _Loops(document, given)
    result: dict[str, Any] = {}
    for section, node in document.items():
        if section in SECTIONS:
            result[section] = loops.expand(node)
        elif (name := _loop_in(node)) is not None:
            raise TemplateError("loop_section", name=name, section=section)
        else:
            result[section] = node
    for definition in (result.get("Resources") or {}).values():
        for policy in POLICIES if isinstance(definition, dict) else ():
            if isinstance(definition.get(policy), Mapping):
                definition[policy] = loops.policy(definition[policy])
    return result


class _Loops:
    def __init__(self, document: Mapping[str, Any], given: Mapping[str, str]) -> None:
        declared = document.get("Parameters")
        self._declared: Mapping[str, Any] = declared if isinstance(declared, Mapping) else {}
        self._given = given

    def expand(self, node: Any, identifiers: frozenset[str] = frozenset()) -> Any:
        if isinstance(node, list):
            return [self.expand(item, identifiers) for item in node]
        if not isinstance(node, Mapping):
            return node
        result: dict[str, Any] = {}
        for key, value in node.items():
            is_loop = isinstance(key, str) and key.startswith("Fn::ForEach")
            made = self._loop(key, value, identifiers) if is_loop else {key: self.expand(value, identifiers)}
            if double := result.keys() & made.keys():
                raise TemplateError("loop_duplicates", key="Fn::ForEach", names=", ".join(sorted(map(str, double))))
            result |= made
        return result

    def policy(self, argument: Mapping[str, Any]) -> Any:
        """The value of a parameter that a deletion policy refers to; anything else as it is, which is refused."""
        name = argument.get("Ref") if len(argument) == 1 else None
        value = self._parameter(name) if isinstance(name, str) else None
        return argument if value is None else value

    def _loop(self, key: str, argument: Any, identifiers: frozenset[str]) -> dict[str, Any]:
        match argument:
            case [str(identifier), collection, Mapping() as body] if LOOP.fullmatch(key) and identifier.isalnum():
                pass
            case _:
                raise TemplateError("loop_layout")
        if identifier in self._declared or identifier in identifiers:
            raise TemplateError("loop_identifier", identifier=identifier, key=key)
        result: dict[str, Any] = {}
        for value in self._values(key, collection):
            made = self.expand(_substituted(body, identifier, value), identifiers | {identifier})
            if double := result.keys() & made.keys():
                raise TemplateError("loop_duplicates", key=key, names=", ".join(sorted(double)))
            result |= made
        return result

    def _values(self, key: str, collection: Any) -> list[str]:
        match collection:
            case list() if all(isinstance(item, str | int | float) for item in collection):
                return [str(item) for item in collection]
            case {"Ref": str(name)} if len(collection) == 1:
                kind = str(self._declared.get(name, {}).get("Type", ""))
                value = self._parameter(name)
                if kind.startswith(LIST_TYPES) and value is not None:
                    return [part.strip() for part in value.split(",")] if value else []
        raise TemplateError("loop_collection", key=key)

    def _parameter(self, name: str) -> str | None:
        declaration = self._declared.get(name)
        default = declaration.get("Default") if isinstance(declaration, Mapping) else None
        return self._given.get(name, None if default is None else str(default))


def _substituted(node: Any, identifier: str, value: str) -> Any:
    """A copy in which the identifier has its value: ``${X}``, ``&{X}`` without other than letters and digits, Ref."""
    if isinstance(node, str):
        plain = re.sub("[^A-Za-z0-9]", "", value)
        return node.replace(f"${{{identifier}}}", value).replace(f"&{{{identifier}}}", plain)
    if isinstance(node, list):
        return [_substituted(item, identifier, value) for item in node]
    if isinstance(node, Mapping):
        if node == {"Ref": identifier}:
            return value
        return {
            _substituted(key, identifier, value): _substituted(each, identifier, value) for key, each in node.items()
        }
    return node


def _loop_in(node: Any) -> str | None:
    if isinstance(node, list):
        return next(filter(None, map(_loop_in, node)), None)
    if not isinstance(node, Mapping):
        return None
    own = (key for key in node if isinstance(key, str) and key.startswith("Fn::ForEach"))
    return next(own, None) or next(filter(None, map(_loop_in, node.values())), None)
