"""Why a node group is replaced, or its nodes: what is behind its hashed name and its launch template."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from local_aws.cloudformation.values import Address
from neuron_cluster.changes.comparison import Comparison
from neuron_cluster.changes.replacement_cause import why_replaced
from neuron_cluster.changes.summary.node_group_state import SCALING
from neuron_cluster.changes.summary.property_change import PropertyChange, property_changes, summarized

NAME = "NodegroupName"
"""Ends in a hash over what replaces the group: its change says nothing, what else changes does."""


def why_group_replaced(comparison: Comparison, address: Address) -> str:
    """What follows "because"."""
    changed = [c for c in property_changes(comparison, address) if c.path.split("/")[0] not in (NAME, SCALING)]
    if comparison.replaced[address].prop == NAME and changed:
        return f"of {summarized(behind(comparison, changed))}"
    return why_replaced(comparison, address)


def behind(comparison: Comparison, changes: Iterable[PropertyChange]) -> Iterator[PropertyChange]:
    """What is behind these changes; of a launch template, what changes in it."""
    for change in changes:
        within = property_changes(comparison, change.through) if change.through is not None else ()
        yield from within or (change,)
