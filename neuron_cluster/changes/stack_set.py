"""The templates of an environment, their values in the normal form."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from local_aws.cloudformation.linked_stacks import LinkedStacks
from local_aws.cloudformation.references import imported_names
from local_aws.cloudformation.replacements import ResourceState
from local_aws.cloudformation.values import Address
from neuron_cluster.changes.normal_form import UNRESOLVED, left, normal

Template = Mapping[str, Any]


class StackSet:
    """Templates by stack name.

    What only AWS resolves (pseudo parameters, parameters, exports of other stacks) stays as it is written.
    """

    def __init__(self, templates: Mapping[str, Template]) -> None:
        self._templates = templates
        self._stacks = LinkedStacks(templates, leave=left, retained=UNRESOLVED)
        self.exports = self._stacks.exports
        """The exporting stack and the value as written there, by export name."""
        self._addresses = frozenset(self._stacks.addresses())

    def resource(self, address: Address) -> Mapping[str, Any]:
        """The resource as its template has it. Raises KeyError when there is none."""
        found: Mapping[str, Any] = self._templates[address.stack]["Resources"][address.logical_id]
        return found

    def addresses(self) -> frozenset[Address]:
        return self._addresses

    def properties(self, address: Address) -> dict[str, Any]:
        """The properties of a resource in the normal form."""
        properties = normal(self._stacks.properties(address))
        return properties if isinstance(properties, dict) else {}

    def state(self, address: Address) -> ResourceState:
        """Type and properties of a resource."""
        return ResourceState(str(self.resource(address)["Type"]), self.properties(address))

    def outputs(self, name: str) -> Iterator[tuple[str, Any]]:
        """Stack and value, in the normal form, of each output of this name."""
        for stack, template in self._templates.items():
            if name in template.get("Outputs", {}):
                yield stack, self.normal(stack, template["Outputs"][name].get("Value"))

    def imports(self, stack: str) -> set[str]:
        """Names of the exports that a stack imports."""
        names = imported_names(self._templates.get(stack, {}))
        return {str(self.normal(stack, name)) for name in names}

    def normal(self, stack: str, value: Any) -> Any:
        """A value of a template of ``stack`` in the normal form; None for ``AWS::NoValue``."""
        resolved = self._stacks.resolve(stack, [value])
        return normal(resolved[0]) if resolved else None
