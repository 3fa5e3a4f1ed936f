"""How machines are bought, as the plan page says it."""

from __future__ import annotations

from neuron_cluster.plan.machine_plan import MarketPlan


def market_in_words(market: MarketPlan) -> str:
    """``capacity block, cr-0123456789abcdef0, until 2026-12-08T11:30:00Z``."""
    parts = (
        market.eks_capacity_type.lower().replace("_", " "),
        market.reservation_id,
        f"resource group {market.resource_group_arn.partition('/')[2]}" if market.resource_group_arn else None,
        f"{market.reservation_preference} reservations first" if market.reservation_preference else None,
        f"from {market.starts}" if market.starts else None,
        f"until {market.ends}" if market.ends else None,
    )
    return ", ".join(part for part in parts if part)
