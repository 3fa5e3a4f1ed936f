"""The templates of an environment as one thing: references are followed within a stack and, by exports, across them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from neuron_cluster.changes.normal_form import Address, Reference, joined

Template = Mapping[str, Any]

SUBSTITUTION = re.compile(r"\$\{(!?)([^${}]+)\}")
"""A ``${Name}`` of Fn::Sub; ``${!Name}`` is literal."""


class StackSet:
    """Templates by stack name, and their values in the normal form.

    Ref, Fn::GetAtt and Fn::Sub become references, and so does Fn::ImportValue of an export of one of the stacks. What
    only AWS knows (pseudo parameters, parameters, exports of other stacks) stays as it is written.
    """

    def __init__(self, templates: Mapping[str, Template]) -> None:
        self._templates = templates
        self.exports: dict[str, tuple[str, Any]] = {}
        """By export name: the stack that publishes it, and the value as written there."""
        for stack, template in templates.items():
            for output in template.get("Outputs", {}).values():
                if "Export" in output:
                    name = self.normal(stack, output["Export"]["Name"])
                    self.exports[str(name)] = (stack, output["Value"])

    def resource(self, address: Address) -> Mapping[str, Any]:
        """The resource as its template has it. Raises KeyError when there is none."""
        found: Mapping[str, Any] = self._templates[address.stack]["Resources"][address.logical_id]
        return found

    def addresses(self) -> set[Address]:
        return {
            Address(stack, logical_id)
            for stack, template in self._templates.items()
            for logical_id in template.get("Resources", {})
        }

    def properties(self, address: Address) -> dict[str, Any]:
        """The properties of a resource in the normal form."""
        normal = self.normal(address.stack, self.resource(address).get("Properties", {}))
        return normal if isinstance(normal, dict) else {}

    def imports(self, stack: str) -> set[str]:
        """Names of the exports that a stack imports."""
        names = _values_of("Fn::ImportValue", self._templates.get(stack, {}))
        return {str(self.normal(stack, name)) for name in names}

    def normal(self, stack: str, value: Any) -> Any:
        """A value of a template of ``stack`` in the normal form."""
        if isinstance(value, Mapping):
            if len(value) == 1:
                ((key, argument),) = value.items()
                if key == "Ref" or key.startswith("Fn::"):
                    return self._function(stack, key, argument)
            items = {key: self.normal(stack, item) for key, item in value.items()}
            return {key: item for key, item in items.items() if item is not None}
        if isinstance(value, list | tuple):
            return [item for item in (self.normal(stack, item) for item in value) if item is not None]
        return str(value).lower() if isinstance(value, bool) else None if value is None else str(value)

    def _function(self, stack: str, name: str, argument: Any) -> Any:
        match name, argument:
            case "Ref", str():
                normal = self._reference(stack, argument)
            case "Fn::GetAtt", str():
                normal = self._attribute(stack, argument)
            case "Fn::GetAtt", [str(logical_id), str(attribute)]:
                normal = Reference(Address(stack, logical_id), attribute)
            case "Fn::Sub", str():
                normal = self._substituted(stack, argument, {})
            case "Fn::Sub", [str(text), Mapping() as given]:
                normal = self._substituted(stack, text, given)
            case "Fn::Join", [str(delimiter), list(parts)]:
                normal = joined([self.normal(stack, part) for part in parts], delimiter)
            case "Fn::ImportValue", _:
                normal = self._imported(stack, argument)
            case "Fn::If", [str(condition), *values]:
                meaning = self._templates[stack].get("Conditions", {}).get(condition)
                normal = {name: [meaning, *(self.normal(stack, part) for part in values)]}
            case _:
                normal = {name: self.normal(stack, argument)}
        return normal

    def _reference(self, stack: str, name: str) -> Any:
        if name == "AWS::NoValue":
            return None
        if name == "AWS::StackName":
            return stack
        template = self._templates[stack]
        if name in template.get("Resources", {}):
            return Reference(Address(stack, name))
        parameter = template.get("Parameters", {}).get(name, {})
        return {"Ref": [name, str(parameter["Default"])]} if "Default" in parameter else {"Ref": name}

    def _attribute(self, stack: str, dotted: str) -> Reference:
        logical_id, _, attribute = dotted.partition(".")
        return Reference(Address(stack, logical_id), attribute)

    def _substituted(self, stack: str, text: str, given: Mapping[str, Any]) -> Any:
        parts: list[Any] = []
        end = 0
        for match in SUBSTITUTION.finditer(text):
            parts.append(text[end : match.start()])
            literal, name = match.groups()
            if literal:
                parts.append(f"${{{name}}}")
            elif name in given:
                parts.append(self.normal(stack, given[name]))
            elif "." in name:
                parts.append(self._attribute(stack, name))
            else:
                parts.append(self._reference(stack, name))
            end = match.end()
        return joined([*parts, text[end:]], "")

    def _imported(self, stack: str, argument: Any) -> Any:
        name = self.normal(stack, argument)
        if not isinstance(name, str) or name not in self.exports:
            return {"Fn::ImportValue": name}
        producer, value = self.exports[name]
        return self.normal(producer, value)


def _values_of(key: str, value: Any) -> Iterator[Any]:
    if isinstance(value, Mapping):
        for name, item in value.items():
            if name == key:
                yield item
            else:
                yield from _values_of(key, item)
    elif isinstance(value, list):
        for item in value:
            yield from _values_of(key, item)
