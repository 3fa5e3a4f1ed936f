"""The purchase option of instances on the plan page."""

from __future__ import annotations

from neuron_cluster.plan.machine_plan import PurchaseOptionPlan


def describe_purchase_option(purchase: PurchaseOptionPlan) -> str:
    """``capacity block, cr-0123456789abcdef0, until 2026-12-08T11:30:00Z``."""
    parts = (
        purchase.kind.replace("_", " "),
        purchase.reservation_id,
        f"resource group {purchase.resource_group_arn.partition('/')[2]}" if purchase.resource_group_arn else None,
        f"{purchase.reservation_preference} reservations first" if purchase.reservation_preference else None,
        f"from {purchase.starts}" if purchase.starts else None,
        f"until {purchase.ends}" if purchase.ends else None,
    )
    return ", ".join(part for part in parts if part)
