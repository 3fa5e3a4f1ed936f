"""A node group that would go to another stack: the new one is made while the old one still bears its name."""

from __future__ import annotations

from neuron_cluster.changes.comparison import Comparison
from neuron_cluster.changes.normal_form import Address
from neuron_cluster.changes.refusals.wording import place
from neuron_cluster.changes.resource_name import NODE_GROUP, name_in
from neuron_cluster.findings import Finding


def moved_group_refusals(comparison: Comparison) -> list[Finding]:
    """E9008, once for each group. Its logical id is the same in every stack (ADR 0007)."""
    going = {a.logical_id: a for a in comparison.removed if comparison.type_of(a) == NODE_GROUP}
    coming = [a for a in comparison.added if comparison.type_of(a) == NODE_GROUP and a.logical_id in going]
    pairs = [(new, going[new.logical_id]) for new in coming]
    return [_refusal(comparison, *pair) for pair in pairs if _of_one_cluster(comparison, *pair)]


def _of_one_cluster(comparison: Comparison, new: Address, old: Address) -> bool:
    """Names are unique in a cluster: a renamed environment has another one, with groups of the same ids."""
    after, before = comparison.after.properties(new), comparison.before.properties(old)
    return bool(after.get("ClusterName") == before.get("ClusterName"))


def _refusal(comparison: Comparison, new: Address, old: Address) -> Finding:
    return Finding(
        "E9008",
        place(new),
        f"{name_in(comparison, new)} would go from the stack {old.stack} to {new.stack}: its nodes would be "
        "replaced, and EKS refuses the new group while the old one has its name",
        "keep the groups in their places, fifty to a stack: put new ones at the end of eks.node_groups, and instead of "
        "taking out one before the last stack, set its count to min: 0, desired: 0",
    )
