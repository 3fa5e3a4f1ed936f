"""The deployed templates with the values that the deployment gave them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from local_aws.cloudformation.resolver import Resolver
from local_aws.cloudformation.template import as_template
from local_aws.cloudformation.value_source import ValueSource
from local_aws.cloudformation.values import UNKNOWN, Address
from local_aws.resource_types.readers.iam import INLINE_POLICY
from neuron_cluster.aws.deployed_stacks import DeployedStack
from neuron_cluster.aws.reading import NotRead
from neuron_cluster.catalog.catalog import Catalog
from neuron_cluster.drift.readings import Place, Readings, is_readable


class DeployedResources:
    """The resources of stacks whose template and physical ids were read, with their properties."""

    def __init__(
        self, stacks: Mapping[str, DeployedStack], exports: Mapping[str, str], readings: Readings, catalog: Catalog
    ) -> None:
        self.stacks = {name: each for name, each in stacks.items() if not isinstance(each.template, NotRead)}
        self.catalog = catalog
        self._exports = exports
        self._readings = readings
        self._resolvers = {name: self._resolver(stack) for name, stack in self.stacks.items()}
        self._properties: dict[Address, Mapping[str, Any]] = {}

    def addresses(self) -> list[Address]:
        """Resources that exist, in the order of the templates."""
        return [
            Address(name, logical_id)
            for name, resolver in self._resolvers.items()
            for logical_id in resolver.active()
            if self.physical_id(Address(name, logical_id))
        ]

    def unlisted(self) -> Mapping[Address, str]:
        """Resources of a template that its stack does not have, as after a deletion that failed half-way; with why."""
        return {
            Address(name, logical_id): f"{name} is {self.stacks[name].status} and does not have it"
            for name, resolver in self._resolvers.items()
            if not isinstance(self.stacks[name].resources, NotRead)
            for logical_id in resolver.active()
            if not self.physical_id(Address(name, logical_id))
        }

    def type_of(self, address: Address) -> str:
        """The type that the template names."""
        template = self.stacks[address.stack].template
        return "" if isinstance(template, NotRead) else str(template["Resources"][address.logical_id]["Type"])

    def physical_id(self, address: Address) -> str:
        """Empty for a resource that the stack does not have."""
        resources = self.stacks[address.stack].resources
        row = None if isinstance(resources, NotRead) else resources.get(address.logical_id)
        return row.physical_id if row is not None else ""

    def place(self, address: Address) -> Place | None:
        """Where a resource is read; None for one of a type that no call returns."""
        kind = self.type_of(address)
        row = self.catalog.drift_types.get(kind)
        if row is not None and row.read_as:
            physical_id = self.properties(address).get(row.physical_id)
            return Place(address, row.read_as, physical_id) if isinstance(physical_id, str) else None
        return Place(address, kind, self.physical_id(address)) if is_readable(kind) else None

    def properties(self, address: Address) -> Mapping[str, Any]:
        """The properties of the template; UNKNOWN where a value is not known."""
        if address not in self._properties:
            resolved = self._resolvers[address.stack].properties(address.logical_id)
            self._properties[address] = resolved if isinstance(resolved, dict) else {}
        return self._properties[address]

    def actual(self, address: Address, name: str) -> Any:
        """A property as the service returns it; None where it returns none, or was not read."""
        place = self.place(address)
        found = self._readings.properties(place, [name]) if place is not None else None
        return None if found is None or isinstance(found, NotRead) else found.properties.get(name)

    def attribute(self, address: Address, name: str) -> Any:
        """UNKNOWN for a resource that was not read."""
        if self.type_of(address) == INLINE_POLICY:
            return UNKNOWN
        place = self.place(address)
        return UNKNOWN if place is None else self._readings.attributes(place).get(name, UNKNOWN)

    def export(self, name: Any) -> Any:
        return self._exports.get(name, UNKNOWN)

    def _resolver(self, stack: DeployedStack) -> Resolver:
        document = {} if isinstance(stack.template, NotRead) else stack.template
        return Resolver(as_template(document), _StackValues(stack, self), leave=_unknown)


def _unknown(*_: Any) -> Any:
    return UNKNOWN


class _StackValues(ValueSource):
    """Values of one stack."""

    def __init__(self, stack: DeployedStack, resources: DeployedResources) -> None:
        self._stack = stack
        self._resources = resources

    def parameter(self, name: str) -> Any:
        return self._stack.parameters.get(name, UNKNOWN)

    def pseudo_parameter(self, name: str) -> Any:
        _, partition, _, region, account, *_ = self._stack.id.split(":")
        values = {
            "AWS::AccountId": account,
            "AWS::Partition": partition,
            "AWS::Region": region,
            "AWS::StackId": self._stack.id,
            "AWS::StackName": self._stack.name,
            "AWS::URLSuffix": "amazonaws.com.cn" if partition == "aws-cn" else "amazonaws.com",
        }
        return values.get(name, UNKNOWN)

    def reference(self, logical_id: str) -> Any:
        return self._resources.physical_id(Address(self._stack.name, logical_id)) or UNKNOWN

    def attribute(self, logical_id: str, name: str) -> Any:
        return self._resources.attribute(Address(self._stack.name, logical_id), name)

    def import_value(self, name: str) -> Any:
        return self._resources.export(name)
