"""Purchase options of instances, in the words of EC2."""

from __future__ import annotations

from neuron_cluster.config.capacity import (
    Capacity,
    CapacityBlock,
    OnDemand,
    Reservation,
    ReservationMatch,
    Spot,
    UltraserverBlock,
)
from neuron_cluster.plan.machine_plan import PurchaseOptionPlan

BLOCK_MARKET = "capacity-block"
OPEN_PREFERENCE = "open"


def build_purchase_option(capacity: Capacity) -> PurchaseOptionPlan:
    """The purchase option, and what launches target: one reservation, those of a resource group, or none.

    A block of UltraServers is requested like a block of instances. Source: EC2 guide, capacity-blocks-launch.html;
    that a managed node group accepts it the same way is inferred (rule W3049).
    """
    match capacity:
        case OnDemand():
            return PurchaseOptionPlan("on_demand", None, None)
        case Spot():
            return PurchaseOptionPlan("spot", None, None)
        case Reservation(match=ReservationMatch.OPEN):
            return PurchaseOptionPlan("on_demand", None, None, reservation_preference=OPEN_PREFERENCE)
        case Reservation():
            return PurchaseOptionPlan(
                "on_demand", None, capacity.reservation_id, resource_group_arn=capacity.resource_group
            )
        case CapacityBlock() | UltraserverBlock():
            return PurchaseOptionPlan(
                "capacity_block", BLOCK_MARKET, capacity.reservation_id, starts=capacity.starts, ends=capacity.ends
            )
