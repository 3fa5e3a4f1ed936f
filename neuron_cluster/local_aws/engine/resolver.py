"""Turns a piece of template into plain values.

Source: https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/intrinsic-function-reference.html
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any, Protocol

from neuron_cluster.local_aws.engine.conditions import CONDITION_FUNCTIONS, Conditions
from neuron_cluster.local_aws.engine.dynamic_references import DYNAMIC_REFERENCE, with_dynamic_references
from neuron_cluster.local_aws.engine.functions import LANGUAGE_EXTENSIONS, PURE_FUNCTIONS
from neuron_cluster.local_aws.engine.parameters import Parameter
from neuron_cluster.local_aws.engine.references import SUBSTITUTION, substitution
from neuron_cluster.local_aws.engine.template import Template, invalid_template
from neuron_cluster.local_aws.engine.values import NO_VALUE, UNKNOWN, as_text, holds_unknown

FUNCTION_NAME = re.compile(r"Fn::\w+|Ref")


class Surroundings(Protocol):
    """What lies outside of a template: the account it meets, the other resources, the other stacks."""

    def pseudo_parameter(self, name: str) -> Any:
        """The value of ``AWS::Region`` and its like; None for an unknown name."""

    def reference(self, logical_id: str) -> Any:
        """What Ref to a resource gives, or UNKNOWN."""

    def attribute(self, logical_id: str, name: str) -> Any:
        """What Fn::GetAtt gives, or UNKNOWN."""

    def import_value(self, name: str) -> str:
        """The value of an export. Raises ServiceError when no stack exports the name."""

    def availability_zones(self, region: str) -> list[str]: ...

    def client(self, service: str) -> Any: ...


class Resolver:
    """Resolves one template with its parameters."""

    def __init__(self, template: Template, parameters: Mapping[str, Parameter], surroundings: Surroundings) -> None:
        self._template = template
        self._parameters = parameters
        self._surroundings = surroundings
        self._conditions = Conditions(template.conditions, self.resolve)
        self._special: Mapping[str, Callable[[Any], Any]] = {
            "Ref": self._ref,
            "Fn::GetAtt": self._get_att,
            "Fn::Sub": self._sub,
            "Fn::If": self._if,
            "Fn::Select": self._select,
            "Fn::FindInMap": self._find_in_map,
            "Fn::ImportValue": lambda argument: self._known(argument, surroundings.import_value),
            "Fn::GetAZs": lambda argument: self._known(argument, surroundings.availability_zones),
        }

    def condition(self, name: str | None) -> bool:
        """Whether something with this ``Condition`` exists; without one it does."""
        return name is None or self._conditions.holds(name)

    def truth(self, expression: Any) -> bool:
        """The truth of one condition function, as Rules hold them."""
        return self._conditions.truth(expression)

    def active(self) -> list[str]:
        """Logical ids of the resources whose condition holds, in the template's order."""
        return [name for name, definition in self._template.resources.items() if self.condition(definition.condition)]

    def properties(self, logical_id: str) -> dict[str, Any]:
        """A resource's resolved properties. Raises ServiceError for what cannot be resolved."""
        resolved: dict[str, Any] = self.resolve(self._template.resources[logical_id].properties)
        return resolved

    def resolve(self, node: Any) -> Any:
        """The value of a piece of template; parts that cannot be known yet are UNKNOWN."""
        if isinstance(node, Mapping):
            if len(node) == 1:
                name, argument = next(iter(node.items()))
                if FUNCTION_NAME.fullmatch(name):
                    return self._call(name, argument)
            members = {key: self.resolve(value) for key, value in node.items()}
            return {key: value for key, value in members.items() if value is not NO_VALUE}
        if isinstance(node, list):
            return [value for value in map(self.resolve, node) if value is not NO_VALUE]
        if isinstance(node, str) and DYNAMIC_REFERENCE.search(node):
            return with_dynamic_references(node, self._surroundings.client)
        return node

    def _call(self, name: str, argument: Any) -> Any:
        try:
            return self._called(name, argument)
        except (TypeError, ValueError, LookupError, AttributeError) as error:
            # Source: inferred: the words; each function has its own for some of the arguments that it cannot take.
            raise invalid_template(f"Template error: invalid arguments of {name}: {str(argument)[:200]}") from error

    def _called(self, name: str, argument: Any) -> Any:
        if name in self._special:
            return self._special[name](argument)
        extension = name in LANGUAGE_EXTENSIONS and "AWS::LanguageExtensions" not in self._template.transforms
        if name in PURE_FUNCTIONS and not extension:
            return self._known(argument, PURE_FUNCTIONS[name])
        if name in CONDITION_FUNCTIONS:
            return self._conditions.truth({name: argument})
        supported = sorted({*self._special, *PURE_FUNCTIONS, *CONDITION_FUNCTIONS} - LANGUAGE_EXTENSIONS)
        raise invalid_template(
            f"Template Error: Encountered unsupported function: {name} "
            f"Supported functions are: [{', '.join(supported)}]"
        )

    def _known(self, argument: Any, function: Callable[[Any], Any]) -> Any:
        resolved = self.resolve(argument)
        if holds_unknown(resolved):
            return UNKNOWN
        result = function(resolved)
        return self.resolve(result) if isinstance(result, str) else result

    def _select(self, argument: Any) -> Any:
        """As the others, but an unknown item that is not the selected one does no harm."""
        match self.resolve(argument):
            case [index, list(items)] if not holds_unknown(index):
                return PURE_FUNCTIONS["Fn::Select"]([index, items])
        return self._known(argument, PURE_FUNCTIONS["Fn::Select"])

    def _ref(self, name: Any) -> Any:
        if name == "AWS::NoValue":
            return NO_VALUE
        if name in self._parameters:
            return self._parameters[name].value
        pseudo = self._surroundings.pseudo_parameter(str(name))
        if pseudo is not None:
            return pseudo
        self._check_exists(name)
        return self._surroundings.reference(name)

    def _get_att(self, argument: Any) -> Any:
        logical_id, attribute = argument.split(".", 1) if isinstance(argument, str) else argument
        self._check_exists(logical_id)
        return self._surroundings.attribute(logical_id, str(self.resolve(attribute)))

    def _check_exists(self, logical_id: Any) -> None:
        definition = self._template.resources.get(logical_id)
        if definition is None or not self.condition(definition.condition):
            raise invalid_template(
                f"Template format error: Unresolved resource dependencies [{logical_id}] "
                "in the Resources block of the template"
            )

    def _sub(self, argument: Any) -> Any:
        text, given = substitution(argument)
        values = {key: self.resolve(value) for key, value in given.items()}
        parts: list[Any] = []
        end = 0
        for match in SUBSTITUTION.finditer(text):
            literal, name = match.groups()
            parts += [text[end : match.start()], f"${{{name}}}" if literal else self._substituted(name.strip(), values)]
            end = match.end()
        parts.append(text[end:])
        return UNKNOWN if holds_unknown(parts) else self.resolve("".join(as_text(part) for part in parts))

    def _substituted(self, name: str, values: Mapping[str, Any]) -> Any:
        if name in values:
            return values[name]
        return self._get_att(name) if "." in name else self._ref(name)

    def _if(self, argument: Any) -> Any:
        match argument:
            case [str(name), if_true, if_false]:
                return self.resolve(if_true if self._conditions.holds(name) else if_false)
        raise invalid_template("Template error: Fn::If requires a list argument with three elements")

    def _find_in_map(self, argument: Any) -> Any:
        name, first, second, *rest = map(self.resolve, argument)
        try:
            return self._template.mappings[name][first][second]
        except KeyError:
            for options in rest:
                if "DefaultValue" in options and "AWS::LanguageExtensions" in self._template.transforms:
                    return options["DefaultValue"]
        raise invalid_template(f"Template error: Unable to get mapping for {name}::{first}::{second}")
