"""Nodes whose replacement is expensive: in a Capacity Block, or twice as many for a while."""

from __future__ import annotations

from collections.abc import Iterator

from local_aws.cloudformation.values import Address
from neuron_cluster.changes.comparison import Comparison
from neuron_cluster.changes.guards.base import Guard, Violation
from neuron_cluster.changes.resource_name import name_in
from neuron_cluster.changes.summary.property_change import PropertyChange, behind, property_changes, summarized
from neuron_cluster.providers.eks.changes.group_cause import why_group_replaced
from neuron_cluster.providers.eks.changes.moved_groups import has_neuron_taint
from neuron_cluster.providers.eks.changes.node_changes import ROLLING
from neuron_cluster.providers.eks.changes.node_group_state import NODE_GROUP, NodeGroupState

CAPACITY_BLOCK = "CAPACITY_BLOCK"


class CapacityBlockUpdated(Guard):
    """A node group on a Capacity Block is updated while it has no nodes (`count.desired`).

    EKS's guide on Capacity Blocks requires a desired size of 0 before a managed node group is updated. An edit of the
    Kubernetes version, the image, the root volume or the reservation would terminate the nodes of a block that is paid
    for, one after the other, and start their successors in the same capacity if EC2 releases them in time.
    """

    id = "E9018"
    source = "https://docs.aws.amazon.com/eks/latest/userguide/capacity-blocks-mng.html"

    def check(self, comparison: Comparison) -> Iterator[Violation]:
        for address in sorted(comparison.updated):
            if comparison.type_of(address) == NODE_GROUP:
                yield from _updated_block(comparison, address)


class NeuronGroupTwice(Guard):
    """A Neuron node group is not replaced while it has nodes (`count.desired`).

    CloudFormation creates the new group before it deletes the old one: for that time the account needs quota and EC2
    needs instances for both, and both are billed. Without them the deploy rolls back after EKS has retried for half an
    hour.
    """

    id = "W9019"
    source = (
        "https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/using-cfn-updating-stacks-update-behaviors.html"
    )

    def check(self, comparison: Comparison) -> Iterator[Violation]:
        for address in sorted(comparison.replaced):
            if comparison.type_of(address) == NODE_GROUP:
                yield from _twice(comparison, address)


def _updated_block(comparison: Comparison, address: Address) -> Iterator[Violation]:
    group = NodeGroupState(comparison.before, address)
    rolling = [each for each in property_changes(comparison, address) if _is_rolling(each)]
    if group.capacity_type != CAPACITY_BLOCK or not rolling or group.desired == 0:
        return
    yield Violation(
        address,
        f"{name_in(comparison, address)} runs in a capacity block with desired: {group.desired}, and "
        f"{summarized(behind(comparison, rolling))} replaces its nodes; EKS requires desired size 0 before such an "
        "update",
        f"take two steps: 1. undo the edit, set desired: 0 in count of {group.name} and deploy (its nodes go); "
        "2. put the edit and desired back and deploy",
    )


def _is_rolling(change: PropertyChange) -> bool:
    return change.path.split("/")[0] in ROLLING


def _twice(comparison: Comparison, address: Address) -> Iterator[Violation]:
    old, new = NodeGroupState(comparison.before, address), NodeGroupState(comparison.after, address)
    if not has_neuron_taint(comparison, address) or old.reservation_id or old.capacity_type == CAPACITY_BLOCK:
        return
    if not old.desired or not new.desired:
        return
    yield Violation(
        address,
        f"{name_in(comparison, address)} would be replaced, because {why_group_replaced(comparison, address)}; its "
        f"{new.desired} new nodes start before its {old.desired} old nodes end, and all {old.desired + new.desired} "
        "are billed until then",
        f"where there is neither capacity nor quota for both: undo the edit, set desired: 0 in count of {old.name} and "
        "deploy (its nodes go); then put the edit back and deploy",
    )
