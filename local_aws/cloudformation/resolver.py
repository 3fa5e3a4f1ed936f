"""Turns a piece of a template into values."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

from local_aws.cloudformation.conditions import Conditions, Truth
from local_aws.cloudformation.errors import TemplateError
from local_aws.cloudformation.functions import (
    CONDITION_FUNCTIONS,
    PURE_FUNCTIONS,
    TRANSFORM,
    substituted,
    supported_functions,
    unsupported_function,
)
from local_aws.cloudformation.references import PSEUDO_PARAMETERS, SUBSTITUTION, substitution
from local_aws.cloudformation.template import Template
from local_aws.cloudformation.value_source import ValueSource, stack_output
from local_aws.cloudformation.values import NO_VALUE, UNKNOWN, is_known

DYNAMIC_REFERENCE = re.compile(r"\{\{resolve:([^:{}]+):([^{}]+)\}\}")
DYNAMIC = "{{resolve}}"
"""Name of the function that a text with dynamic references is, for ``Leave``."""
Leave = Callable[[Template, str, Any], Any]
"""Returns the value of a function that cannot be computed, from the template, the function's name and its argument."""


class Resolver:
    """Resolves one template with the values of a source.

    Without ``leave`` a function whose values are not known is UNKNOWN, and one that is not valid raises TemplateError.
    With it, nothing raises. ``retained`` are functions that are left even where they could be computed.
    """

    def __init__(
        self,
        template: Template,
        source: ValueSource,
        *,
        leave: Leave | None = None,
        retained: frozenset[str] = frozenset(),
    ) -> None:
        self._template = template
        self._source = source
        self._leave = leave
        self._kept = retained
        self._supported = supported_functions(template.transforms)
        self._conditions = Conditions(template.conditions, self.resolve)
        self._special: Mapping[str, Callable[[Any], Any]] = {
            "Ref": self._ref,
            "Fn::GetAtt": self._get_att,
            "Fn::Sub": self._sub,
            "Fn::Join": self._join,
            "Fn::If": self._if,
            "Fn::Select": self._select,
            "Fn::FindInMap": self._find_in_map,
            "Fn::GetStackOutput": self._get_stack_output,
            "Fn::ImportValue": lambda argument: self._looked_up("Fn::ImportValue", argument, source.import_value),
            "Fn::GetAZs": lambda argument: self._looked_up("Fn::GetAZs", argument, source.availability_zones),
        }

    def condition(self, name: str | None) -> bool:
        """Whether something with this ``Condition`` exists; without one it does, and where that is not known."""
        return name is None or self._truth(name) is not False

    def truth(self, expression: Any) -> Truth:
        """The truth of one condition function, as Rules have them."""
        return self._conditions.truth(expression)

    def active(self) -> list[str]:
        """Logical ids of the resources whose condition holds, in the template's order."""
        return [name for name, definition in self._template.resources.items() if self.condition(definition.condition)]

    def properties(self, logical_id: str) -> Any:
        """A resource's resolved properties."""
        return self.resolve(self._template.resources[logical_id].properties)

    def resolve(self, node: Any) -> Any:
        """The value of a piece of the template."""
        kind = type(node)
        if kind is str:
            return self._text(node) if "{{resolve:" in node else node
        if kind is dict:
            if len(node) == 1:
                ((name, argument),) = node.items()
                if name == "Ref" or (type(name) is str and name.startswith("Fn::")):
                    return self._function(name, argument)
            members = node.items()
            return {key: value for key, member in members if (value := self.resolve(member)) is not NO_VALUE}
        if kind is list:
            return [value for item in node if (value := self.resolve(item)) is not NO_VALUE]
        if isinstance(node, Mapping | tuple):
            return self.resolve(dict(node) if isinstance(node, Mapping) else list(node))
        return node

    def _function(self, name: str, argument: Any) -> Any:
        try:
            return self._computed(name, argument)
        except TemplateError:
            if self._leave is None:
                raise
        except (TypeError, ValueError, LookupError, AttributeError) as error:
            if self._leave is None:
                raise TemplateError("arguments", name=name, argument=str(argument)[:200]) from error
        return self._leave(self._template, name, argument)

    def _computed(self, name: str, argument: Any) -> Any:
        if name in self._special:
            return self._special[name](argument)
        if name in PURE_FUNCTIONS and name in self._supported:
            return self._applied(name, self.resolve(argument))
        if name in CONDITION_FUNCTIONS:
            truth = self._conditions.truth({name: argument})
            return truth if isinstance(truth, bool) else self._left(name, self.resolve(argument))
        if self._leave is not None:
            return self._left(name, self.resolve(argument))
        raise unsupported_function(name, self._template.transforms)

    def _left(self, name: str, argument: Any) -> Any:
        """Returns the value of a function whose values are not known; its argument is resolved."""
        return UNKNOWN if self._leave is None else self._leave(self._template, name, argument)

    def _applied(self, name: str, argument: Any) -> Any:
        """A function that needs nothing but its argument, which is resolved."""
        if name in self._kept or not is_known(argument):
            return self._left(name, argument)
        result = PURE_FUNCTIONS[name](argument)
        return self._text(result) if isinstance(result, str) else result

    def _looked_up(self, name: str, argument: Any, look_up: Callable[[Any], Any]) -> Any:
        resolved = self.resolve(argument)
        found = look_up(resolved) if is_known(resolved) else UNKNOWN
        return self._left(name, resolved) if found is UNKNOWN else found

    def _text(self, text: str) -> Any:
        """With the values of its dynamic references."""
        parts: list[str] = []
        end = 0
        for match in DYNAMIC_REFERENCE.finditer(text):
            found = self._source.dynamic_reference(*match.groups())
            if found is UNKNOWN:
                return self._left(DYNAMIC, text)
            parts += [text[end : match.start()], found]
            end = match.end()
        return "".join([*parts, text[end:]])

    def _join(self, argument: Any) -> Any:
        resolved = self.resolve(argument)
        match resolved:
            case [str(), [part]] if not is_known(part):
                return part
        return self._applied("Fn::Join", resolved)

    def _select(self, argument: Any) -> Any:
        """An unknown item that is not the selected one does no harm."""
        resolved = self.resolve(argument)
        match resolved:
            case [index, list()] if is_known(index):
                return PURE_FUNCTIONS["Fn::Select"](resolved)
        return self._applied("Fn::Select", resolved)

    def _ref(self, name: Any) -> Any:
        if name == "AWS::NoValue":
            return NO_VALUE
        if name in self._template.parameters:
            found = self._source.parameter(name)
        elif name in PSEUDO_PARAMETERS:
            found = self._source.pseudo_parameter(name)
        else:
            self._require(name)
            found = self._source.reference(name)
        return self._left("Ref", name) if found is UNKNOWN else found

    def _get_att(self, argument: Any) -> Any:
        logical_id, attribute = argument.split(".", 1) if isinstance(argument, str) else argument
        self._require(logical_id)
        attribute = self.resolve(attribute)
        found = self._source.attribute(logical_id, str(attribute)) if is_known(attribute) else UNKNOWN
        return self._left("Fn::GetAtt", [logical_id, attribute]) if found is UNKNOWN else found

    def _get_stack_output(self, argument: Any) -> Any:
        return self._looked_up(
            "Fn::GetStackOutput", argument, lambda resolved: self._source.stack_output(stack_output(resolved))
        )

    def _require(self, logical_id: Any) -> None:
        definition = self._template.resources.get(logical_id)
        if definition is None or not self.condition(definition.condition):
            raise TemplateError("unresolved_references", names=logical_id, block="Resources")

    def _sub(self, argument: Any) -> Any:
        text, given = substitution(argument)
        values = {key: self.resolve(value) for key, value in given.items()}
        parts: list[Any] = []
        end = 0
        for match in SUBSTITUTION.finditer(text):
            literal, name = match.groups()
            parts += [text[end : match.start()], f"${{{name}}}" if literal else self._variable(name.strip(), values)]
            end = match.end()
        parts = [part for part in (*parts, text[end:]) if part not in ("", NO_VALUE)]
        if is_known(parts):
            return self._text(substituted(parts))
        return parts[0] if len(parts) == 1 else self._left("Fn::Join", ["", parts])

    def _variable(self, name: str, values: Mapping[str, Any]) -> Any:
        if name in values:
            return values[name]
        return self._function("Fn::GetAtt", name) if "." in name else self._function("Ref", name)

    def _if(self, argument: Any) -> Any:
        match argument:
            case [str(name), if_true, if_false]:
                truth = self._truth(name)
                if isinstance(truth, bool):
                    return self.resolve(if_true if truth else if_false)
                return self._left("Fn::If", [name, self.resolve(if_true), self.resolve(if_false)])
        raise TemplateError("if")

    def _truth(self, name: str) -> Truth:
        truth = self._conditions.holds(name)
        if truth is UNKNOWN and self._leave is None:
            raise TemplateError("condition")
        return truth

    def _find_in_map(self, argument: Any) -> Any:
        name, first, second, *rest = resolved = list(map(self.resolve, argument))
        if not is_known([name, first, second]):
            return self._left("Fn::FindInMap", resolved)
        try:
            return self._template.mappings[name][first][second]
        except KeyError:
            for options in rest:
                if "DefaultValue" in options and TRANSFORM in self._template.transforms:
                    return options["DefaultValue"]
        raise TemplateError("mapping", name=name, first=first, second=second)
