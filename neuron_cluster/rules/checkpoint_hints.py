"""File systems that are enough for the checkpoints, in hints."""

from __future__ import annotations

from typing import TYPE_CHECKING

from neuron_cluster.checkpoints.monthly_cost import total

if TYPE_CHECKING:
    from neuron_cluster.checkpoints.plan_checkpoints import CheckpointPlan


def enough_storage(plan: CheckpointPlan, otherwise: str) -> str:
    """The keys of the cheapest file system that takes the checkpoints, then what else helps."""
    if plan.best is None:
        return otherwise
    file_system = plan.best.assessment.file_system
    tier = f" and throughput_mbps_per_tib: {file_system.tier}" if file_system.tier else ""
    usd = total(plan.best.costs[:1])
    price = f" ({usd:,.0f} USD a month)" if usd is not None else ""
    return f"write capacity_gib: {file_system.capacity_gib}{tier}{price}, or {otherwise}"
