"""How machines are bought, in the words of EC2 and EKS."""

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
from neuron_cluster.plan.machine_plan import MarketPlan

BLOCK_MARKET = "capacity-block"
OPEN_PREFERENCE = "open"


def build_market(capacity: Capacity) -> MarketPlan:
    """The market type, and what launches target: one reservation, those of a resource group, or none.

    A block of UltraServers is asked for as a block of instances is. Source: EC2 guide, capacity-blocks-launch.html;
    that a managed node group takes it the same way is inferred (rule W3049 says so).
    """
    match capacity:
        case OnDemand():
            return MarketPlan("ON_DEMAND", None, None)
        case Spot():
            return MarketPlan("SPOT", None, None)
        case Reservation(match=ReservationMatch.OPEN):
            return MarketPlan("ON_DEMAND", None, None, reservation_preference=OPEN_PREFERENCE)
        case Reservation():
            return MarketPlan("ON_DEMAND", None, capacity.reservation_id, resource_group_arn=capacity.resource_group)
        case CapacityBlock() | UltraserverBlock():
            return MarketPlan(
                "CAPACITY_BLOCK", BLOCK_MARKET, capacity.reservation_id, starts=capacity.starts, ends=capacity.ends
            )
