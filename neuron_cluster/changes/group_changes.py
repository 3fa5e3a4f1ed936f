"""Compute groups in `diff` and `deploy`, for a provider whose groups are one resource each."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from local_aws.cloudformation.values import Address
from neuron_cluster.changes.comparison import Comparison
from neuron_cluster.changes.group_state import GroupProperties, GroupState
from neuron_cluster.changes.source import ChangeSource
from neuron_cluster.changes.stack_set import StackSet
from neuron_cluster.changes.summary.deployed_machines import DeployedMachines
from neuron_cluster.changes.summary.node_change import NodeChange, NodeChangeKind
from neuron_cluster.changes.summary.property_change import behind, property_changes, summarized
from neuron_cluster.protocol.resource_kind import ResourceKind


class GroupChanges(ChangeSource):
    """Base class. A provider whose rolling updates need more than ``rolling`` overrides ``node_changes``."""

    kind: ClassVar[ResourceKind]
    """The resource type of a group."""
    group_properties: ClassVar[GroupProperties]
    rolling: ClassVar[tuple[str, ...]] = ()
    """Properties whose change replaces the instances of a group; none where instances that run stay."""
    pace: ClassVar[str] = "one by one"
    """When each instance is replaced, to be read after ``its nodes are replaced``."""

    def resource_kinds(self) -> tuple[ResourceKind, ...]:
        return (self.kind,)

    def node_changes(self, comparison: Comparison) -> Iterator[tuple[Address, NodeChange]]:
        addresses = comparison.before.addresses() | comparison.after.addresses()
        for address in sorted(each for each in addresses if comparison.type_of(each) == self.kind.type):
            for change in self._changes(comparison, address):
                yield address, change

    def machines(self, stacks: StackSet) -> Iterator[DeployedMachines]:
        for address in sorted(stacks.addresses()):
            if stacks.resource(address)["Type"] == self.kind.type:
                group = self.state(stacks, address)
                yield DeployedMachines(
                    group.name, group.instance_type, group.desired, group.maximum, group.capacity_type
                )

    def state(self, stacks: StackSet, address: Address) -> GroupState:
        """A group as the templates describe it."""
        name = self.kind.name(stacks.properties(address))
        return GroupState(stacks, address, self.group_properties, name)

    def _changes(self, comparison: Comparison, address: Address) -> Iterator[NodeChange]:
        if address in comparison.added:
            group = self.state(comparison.after, address)
            yield change_of(group, NodeChangeKind.ADDED, group.description, group.desired)
            return
        group = self.state(comparison.before, address)
        if address in comparison.removed:
            yield change_of(group, NodeChangeKind.REMOVED, f"deleted: {group.description}", group.desired)
            return
        after = self.state(comparison.after, address)
        if address in comparison.replaced:
            what = f"a new group is created ({after.description}), then the old one is deleted"
            yield change_of(group, NodeChangeKind.REPLACED, what, group.desired)
        if address not in {*comparison.replaced, *comparison.updated}:
            return
        yield from scaled(group, after)
        if address in comparison.updated:
            yield from self._updated(comparison, address, group)

    def _updated(self, comparison: Comparison, address: Address, group: GroupState) -> Iterator[NodeChange]:
        sizes = {"/".join(path) for path in self.group_properties.sizes}
        changed = [change for change in property_changes(comparison, address) if change.path not in sizes]
        rolling = [change for change in changed if change.path.split("/")[0] in self.rolling]
        if rolling:
            what = f"its nodes are replaced {self.pace}: {summarized(behind(comparison, rolling))}"
            yield change_of(group, NodeChangeKind.ROLLED, what, group.desired)
        rest = [change for change in changed if change not in rolling]
        if rest:
            yield change_of(group, NodeChangeKind.CHANGED, summarized(rest), 0)


def scaled(before: GroupState, after: GroupState) -> Iterator[NodeChange]:
    """Where one of the three numbers differs."""
    counts = [
        f"{name} {old} -> {new}"
        for name, old, new in zip(("min", "desired", "max"), before.counts, after.counts, strict=True)
        if old != new
    ]
    if counts:
        old, new = before.desired, after.desired
        nodes = None if old is None or new is None else abs(new - old)
        yield change_of(before, NodeChangeKind.SCALED, ", ".join(counts), nodes)


def change_of(group: GroupState, kind: NodeChangeKind, what: str, nodes: int | None) -> NodeChange:
    return NodeChange(group.name, kind, what, nodes, group.reservation_id)
