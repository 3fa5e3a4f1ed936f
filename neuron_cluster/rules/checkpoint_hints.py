"""Parts of messages and hints that several rules of checkpoints have."""

from __future__ import annotations

from typing import TYPE_CHECKING

from neuron_cluster.checkpoints.monthly_cost import total

if TYPE_CHECKING:
    from neuron_cluster.checkpoints.plan_checkpoints import CheckpointPlan
    from neuron_cluster.checkpoints.spec import CheckpointSpec


def enough_storage(plan: CheckpointPlan, otherwise: str) -> str:
    """The keys of the cheapest file system that takes the checkpoints, then what else helps."""
    if plan.best is None:
        return otherwise
    file_system = plan.best.assessment.file_system
    tier = f" and throughput_mbps_per_tib: {file_system.tier}" if file_system.tier else ""
    usd = total(plan.best.costs[:1])
    price = f" ({usd:,.0f} USD a month)" if usd is not None else ""
    return f"write capacity_gib: {file_system.capacity_gib}{tier}{price}, or {otherwise}"


def async_memory(spec: CheckpointSpec) -> str:
    """Returns the uses of a node's memory with asynchronous saves."""
    copies = f"copies of {spec.staging_gib:,.0f} GiB"
    return f"{copies} and about {spec.training_gib:,.0f} GiB of the training" if spec.training_gib else copies
