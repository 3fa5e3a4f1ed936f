"""Nodes that an edit would replace at a moment or in a number that costs more than the edit says."""

from __future__ import annotations

from collections.abc import Iterator

from neuron_cluster.changes.comparison import Comparison
from neuron_cluster.changes.guards.wording import place
from neuron_cluster.changes.moved_groups import has_neuron_taint
from neuron_cluster.changes.normal_form import Address
from neuron_cluster.changes.resource_name import NODE_GROUP, name_in
from neuron_cluster.changes.summary.group_cause import behind, why_group_replaced
from neuron_cluster.changes.summary.node_change import ROLLING
from neuron_cluster.changes.summary.node_group_state import NodeGroupState
from neuron_cluster.changes.summary.property_change import PropertyChange, property_changes, said
from neuron_cluster.findings.finding import Finding

CAPACITY_BLOCK = "CAPACITY_BLOCK"


def replaced_node_findings(comparison: Comparison) -> Iterator[Finding]:
    """E9018: nodes of a capacity block would be updated while they run. W9019: a Neuron group would run twice."""
    for address in sorted(comparison.updated):
        if comparison.type_of(address) == NODE_GROUP:
            yield from _updated_block(comparison, address)
    for address in sorted(comparison.replaced):
        if comparison.type_of(address) == NODE_GROUP:
            yield from _twice(comparison, address)


def _updated_block(comparison: Comparison, address: Address) -> Iterator[Finding]:
    group = NodeGroupState(comparison.before, address)
    rolling = [each for each in property_changes(comparison, address) if _is_rolling(each)]
    if group.capacity_type != CAPACITY_BLOCK or not rolling or group.desired == 0:
        return
    yield Finding(
        "E9018",
        place(address),
        f"{name_in(comparison, address)} runs in a capacity block with desired: {group.desired}, and "
        f"{said(behind(comparison, rolling))} replaces its nodes; EKS asks for a desired size of 0 before such an "
        "update",
        f"take two steps: 1. undo the edit, set desired: 0 in count of {group.name} and deploy (its nodes go); "
        "2. put the edit and desired back and deploy",
    )


def _is_rolling(change: PropertyChange) -> bool:
    return change.path.split("/")[0] in ROLLING


def _twice(comparison: Comparison, address: Address) -> Iterator[Finding]:
    old, new = NodeGroupState(comparison.before, address), NodeGroupState(comparison.after, address)
    if not has_neuron_taint(comparison, address) or old.reservation_id or old.capacity_type == CAPACITY_BLOCK:
        return
    if not old.desired or not new.desired:
        return
    yield Finding(
        "W9019",
        place(address),
        f"{name_in(comparison, address)} would be replaced, because {why_group_replaced(comparison, address)}; its "
        f"{new.desired} new nodes start before its {old.desired} old nodes end, and all {old.desired + new.desired} "
        "are billed until then",
        f"where there is neither capacity nor quota for both: undo the edit, set desired: 0 in count of {old.name} and "
        "deploy (its nodes go); then put the edit back and deploy",
    )
