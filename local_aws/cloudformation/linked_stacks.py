"""The templates of several stacks as one thing: references are followed within a stack and, by exports, across them."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from local_aws.cloudformation.dependencies import DependencyGraph
from local_aws.cloudformation.resolver import Resolver
from local_aws.cloudformation.template import Template, as_template
from local_aws.cloudformation.value_source import StackOutput, ValueSource
from local_aws.cloudformation.values import UNKNOWN, Address, Reference

Leave = Callable[[str, Template, str, Any], Any]
"""Returns the value of a function that cannot be computed, from the stack, its template, the name and the argument."""


class LinkedStacks:
    """Templates by stack name, before a deployment.

    Ref and Fn::GetAtt of a resource become a ``Reference``, and so does Fn::ImportValue of an export of one of the
    stacks. ``leave`` decides what stands for all else that only the deployment can tell. ``pseudo_parameters`` are
    those that the caller knows; the name of a stack is known. The templates may have mistakes.
    """

    def __init__(
        self,
        documents: Mapping[str, Mapping[str, Any]],
        *,
        leave: Leave,
        retained: frozenset[str] = frozenset(),
        pseudo_parameters: Mapping[str, str] | None = None,
    ) -> None:
        self.documents = documents
        known = pseudo_parameters or {}
        self._templates = {stack: as_template(document) for stack, document in documents.items()}
        self._resolvers = {
            stack: Resolver(
                template,
                _TemplateValues({**known, "AWS::StackName": stack}, stack, self),
                leave=functools.partial(leave, stack),
                retained=retained,
            )
            for stack, template in self._templates.items()
        }
        self._graphs: dict[str, DependencyGraph] = {}
        self.exports: dict[str, tuple[str, Any]] = {}
        """The exporting stack and the value as written there, by export name."""
        self.exports.update(self._exports())

    def template(self, stack: str) -> Template:
        return self._templates[stack]

    def addresses(self) -> Iterator[Address]:
        """Every resource, in the order of the templates."""
        for stack, template in self._templates.items():
            for logical_id in template.resources:
                yield Address(stack, logical_id)

    def resolve(self, stack: str, node: Any) -> Any:
        """The value of a piece of a stack's template."""
        return self._resolvers[stack].resolve(node)

    def properties(self, address: Address) -> Any:
        """The resolved properties of a resource. Raises KeyError when there is none."""
        return self._resolvers[address.stack].properties(address.logical_id)

    def imported(self, name: Any) -> Any:
        """The value of an export; UNKNOWN where none of the stacks has it."""
        if not isinstance(name, str) or name not in self.exports:
            return UNKNOWN
        return self.resolve(*self.exports[name])

    def output(self, stack: str, name: str) -> Any:
        """The value of an output of one of the stacks; UNKNOWN where there is none."""
        if stack not in self._templates or name not in self._templates[stack].outputs:
            return UNKNOWN
        return self.resolve(stack, self._templates[stack].outputs[name].get("Value"))

    def reaches(self, stack: str, start: str, goal: str) -> bool:
        """Whether a resource of a stack depends on another one of it, directly or through others."""
        if stack not in self._graphs:
            self._graphs[stack] = DependencyGraph(self._templates[stack])
        return self._graphs[stack].reaches(start, goal)

    def _exports(self) -> Iterator[tuple[str, tuple[str, Any]]]:
        for stack, template in self._templates.items():
            for output in template.outputs.values():
                export = output.get("Export")
                if export:
                    yield str(self.resolve(stack, export.get("Name"))), (stack, output.get("Value"))


class _TemplateValues(ValueSource):
    """Values that follow only from templates; a deploy may give a parameter another value than its default."""

    def __init__(self, pseudo_parameters: Mapping[str, str], stack: str, stacks: LinkedStacks) -> None:
        self._pseudo_parameters = pseudo_parameters
        self._stack = stack
        self._stacks = stacks

    def pseudo_parameter(self, name: str) -> Any:
        return self._pseudo_parameters.get(name, UNKNOWN)

    def reference(self, logical_id: str) -> Any:
        return Reference(Address(self._stack, logical_id))

    def attribute(self, logical_id: str, name: str) -> Any:
        return Reference(Address(self._stack, logical_id), name)

    def import_value(self, name: str) -> Any:
        return self._stacks.imported(name)

    def stack_output(self, output: StackOutput) -> Any:
        elsewhere = output.role_arn or output.region not in ("", self._pseudo_parameters.get("AWS::Region"))
        return UNKNOWN if elsewhere else self._stacks.output(output.stack_name, output.output_name)
