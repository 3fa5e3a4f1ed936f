"""The HyperPod cluster and its instance groups in `diff` and `deploy`."""

from __future__ import annotations

from collections.abc import Iterator

from local_aws.cloudformation.values import Address
from neuron_cluster.changes.comparison import Comparison
from neuron_cluster.changes.source import ChangeSource
from neuron_cluster.changes.stack_set import StackSet
from neuron_cluster.changes.summary.deployed_machines import DeployedMachines
from neuron_cluster.changes.summary.node_change import NodeChange, NodeChangeKind
from neuron_cluster.protocol.resource_kind import ResourceKind
from neuron_cluster.providers.hyperpod.changes.group_state import NAME, GroupState, groups_in
from neuron_cluster.providers.hyperpod.changes.resource_kinds import CLUSTER, HYPERPOD_RESOURCE_KINDS

RELEASE = "ImageReleaseVersion"


class HyperPodChanges(ChangeSource):
    id = "hyperpod"

    def resource_kinds(self) -> tuple[ResourceKind, ...]:
        return HYPERPOD_RESOURCE_KINDS

    def node_changes(self, comparison: Comparison) -> Iterator[tuple[Address, NodeChange]]:
        addresses = comparison.before.addresses() | comparison.after.addresses()
        for address in sorted(each for each in addresses if comparison.type_of(each) == CLUSTER):
            before = _groups(comparison.before, address)
            after = {} if address in comparison.removed else _groups(comparison.after, address)
            for name in sorted(before.keys() | after.keys()):
                for change in _changes(before.get(name), after.get(name)):
                    yield address, change

    def machines(self, stacks: StackSet) -> Iterator[DeployedMachines]:
        for address in sorted(stacks.addresses()):
            if stacks.resource(address)["Type"] == CLUSTER:
                for group in _groups(stacks, address).values():
                    yield DeployedMachines(
                        group.name, group.instance_type, group.desired, group.desired, group.capacity_type
                    )


def _groups(stacks: StackSet, address: Address) -> dict[str, GroupState]:
    return groups_in(stacks.properties(address)) if address in stacks.addresses() else {}


def _changes(before: GroupState | None, after: GroupState | None) -> Iterator[NodeChange]:
    if before is None and after is not None:
        yield _change(after, NodeChangeKind.ADDED, after.description, after.desired)
    elif before is not None and after is None:
        yield _change(before, NodeChangeKind.REMOVED, f"deleted: {before.description}", before.desired)
    elif before is not None and after is not None:
        yield from _edited(before, after)


def _edited(before: GroupState, after: GroupState) -> Iterator[NodeChange]:
    if before.properties[NAME] != after.properties[NAME]:
        what = f"a new group is created ({after.description}), and the old one is deleted"
        yield _change(before, NodeChangeKind.REPLACED, what, before.desired)
        return
    if before.desired != after.desired:
        what = f"desired {before.desired} -> {after.desired}"
        yield _change(before, NodeChangeKind.SCALED, what, abs(after.desired - before.desired))
    release = after.properties.get(RELEASE)
    if release is not None and release != before.properties.get(RELEASE):
        what = f"the root volumes of its nodes are replaced without a drain, for AMI release {release}"
        yield _change(before, NodeChangeKind.ROLLED, what, min(before.desired, after.desired))
    keys = (before.properties.keys() | after.properties.keys()) - {"InstanceCount", RELEASE}
    changed = sorted(key for key in keys if before.properties.get(key) != after.properties.get(key))
    if changed:
        yield _change(before, NodeChangeKind.CHANGED, ", ".join(changed), 0)


def _change(group: GroupState, kind: NodeChangeKind, what: str, nodes: int) -> NodeChange:
    return NodeChange(group.name, kind, what, nodes, group.training_plan)
