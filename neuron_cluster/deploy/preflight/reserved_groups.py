"""Groups whose reservations the preflight reads."""

from __future__ import annotations

from neuron_cluster.deploy.preflight.context import PreflightContext
from neuron_cluster.deploy.preflight.reservation_fit import OPEN
from neuron_cluster.plan.compute_group_plan import ComputeGroupPlan
from neuron_cluster.plan.placeholders import PLACEHOLDER_RESERVATION


def subjects(context: PreflightContext) -> list[str]:
    """Returns each group with the reservations that it starts in."""
    return [f"{each.name}: {read}" for each in context.plan.compute_groups if (read := read_of(each, context))]


def read_of(group: ComputeGroupPlan, context: PreflightContext) -> str:
    """Returns the reservations of a group that are read; nothing where there are none to read."""
    purchase = group.machine.purchase
    if purchase.reservation_id is not None:
        is_example = context.destination.is_local and purchase.reservation_id == PLACEHOLDER_RESERVATION
        return "" if is_example else purchase.reservation_id  # on AWS the example is E9502
    if purchase.resource_group_arn is not None:
        return purchase.resource_group_arn
    if purchase.reservation_preference == OPEN and group.desired:
        return "open reservations, before its first deploy"
    return ""
