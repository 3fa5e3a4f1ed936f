"""Why a node group is replaced: what is behind its hashed name."""

from __future__ import annotations

from local_aws.cloudformation.values import Address
from neuron_cluster.changes.comparison import Comparison
from neuron_cluster.changes.replacement_cause import why_replaced
from neuron_cluster.changes.summary.property_change import behind, property_changes, summarized
from neuron_cluster.providers.eks.changes.node_group_state import SCALING

NAME = "NodegroupName"
"""Ends in a hash over what replaces the group: its change has no cause of its own, other changes have."""


def why_group_replaced(comparison: Comparison, address: Address) -> str:
    """Returns the text after "because"."""
    changed = [c for c in property_changes(comparison, address) if c.path.split("/")[0] not in (NAME, SCALING)]
    if comparison.replaced[address].prop == NAME and changed:
        return f"of {summarized(behind(comparison, changed))}"
    return why_replaced(comparison, address)
