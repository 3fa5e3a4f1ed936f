"""Changes of node groups: those that are added, removed, rolled or scaled."""

from __future__ import annotations

from collections.abc import Iterator

from local_aws.cloudformation.values import Address
from neuron_cluster.changes.comparison import Comparison
from neuron_cluster.changes.group_changes import change_of, scaled
from neuron_cluster.changes.summary.node_change import NodeChange, NodeChangeKind
from neuron_cluster.changes.summary.property_change import behind, property_changes, summarized
from neuron_cluster.providers.eks.changes.group_cause import why_group_replaced
from neuron_cluster.providers.eks.changes.moved_groups import moved_groups
from neuron_cluster.providers.eks.changes.node_group_state import NODE_GROUP, SCALING, NodeGroupState
from neuron_cluster.providers.eks.changes.two_updates import SECOND_UPDATE, takes_two_updates

ROLLING = ("LaunchTemplate", "ReleaseVersion", "Version")
"""Properties whose change replaces every node of a group, within the group's UpdateConfig.

Source: EKS API reference, UpdateNodegroupVersion.
"""


def node_group_changes(comparison: Comparison) -> Iterator[tuple[Address, NodeChange]]:
    """Yields every change with the address of the node group."""
    addresses = comparison.before.addresses() | comparison.after.addresses()
    moved = moved_groups(comparison)
    for address in sorted(address for address in addresses if comparison.type_of(address) == NODE_GROUP):
        for change in _changes(comparison, address, moved.get(address)):
            yield address, change


def _changes(comparison: Comparison, address: Address, moved_from: Address | None) -> Iterator[NodeChange]:
    if address in comparison.added:
        group = NodeGroupState(comparison.after, address)
        what = group.description
        if moved_from is not None:
            what = f"a new group is created in the stack {address.stack} ({what}), then that in "
            f"{moved_from.stack} is deleted"
        yield change_of(group, NodeChangeKind.ADDED, what, group.desired)
        return
    group = NodeGroupState(comparison.before, address)
    if address.stack in comparison.gone_stacks:
        what = f"drained and removed with its stack {address.stack}: {group.description}"
        yield change_of(group, NodeChangeKind.REMOVED, what, group.desired)
    elif address in comparison.removed:
        yield change_of(group, NodeChangeKind.REMOVED, f"drained and removed: {group.description}", group.desired)
    elif address in comparison.replaced:
        new = NodeGroupState(comparison.after, address).description
        why = why_group_replaced(comparison, address)
        what = f"a new group is made ({new}), then the old one drained, because {why}"
        yield change_of(group, NodeChangeKind.REPLACED, what, group.desired)
        yield from scaled(group, NodeGroupState(comparison.after, address))
    elif address in comparison.updated:
        yield from _updated(group, comparison, address)


def _updated(group: NodeGroupState, comparison: Comparison, address: Address) -> Iterator[NodeChange]:
    changed = property_changes(comparison, address)
    rolling = [change for change in changed if change.path.split("/")[0] in ROLLING]
    if rolling:
        second = f", {SECOND_UPDATE}" if takes_two_updates(comparison, address) else ""
        what = f"its nodes are replaced {group.pace}{second}: {summarized(behind(comparison, rolling))}"
        yield change_of(group, NodeChangeKind.ROLLED, what, group.desired)
    yield from scaled(group, NodeGroupState(comparison.after, address))
    rest = [change for change in changed if change not in rolling and not change.path.startswith(SCALING)]
    if rest:
        yield change_of(group, NodeChangeKind.CHANGED, summarized(rest), 0)
