"""Why a resource would be replaced, in one phrase."""

from __future__ import annotations

from local_aws.cloudformation.property_changes import value_at
from local_aws.cloudformation.values import Address
from neuron_cluster.changes.comparison import Comparison
from neuron_cluster.changes.resource_name import describe, name_in
from neuron_cluster.changes.shown_values import shown_pair


def why_replaced(comparison: Comparison, address: Address) -> str:
    """Returns the text after "because": the property that cannot change in place, or refers to a replaced resource."""
    cause, origin = comparison.replaced[address], comparison.origin(address)
    if cause.through is None:
        return f"of {_direct_cause(comparison, address)}"
    of = "" if origin == cause.through else f" of {name_in(comparison, origin)}"
    behind = _direct_cause(comparison, origin, of)
    return f"{cause.prop} refers to {name_in(comparison, cause.through)}, which would be replaced ({behind})"


def _direct_cause(comparison: Comparison, address: Address, of: str = "") -> str:
    """``CidrBlock of the VPC: 10.20.0.0/16 -> 10.40.0.0/16``."""
    cause = comparison.replaced[address]
    path = tuple(cause.prop.split("/"))
    old, new = (
        describe(stacks, value_at(stacks.properties(address), path)) for stacks in (comparison.before, comparison.after)
    )
    before, after = (cause.before, cause.after) if old == new else shown_pair(old, new)
    return f"{cause.prop}{of}: {before} -> {after}"
