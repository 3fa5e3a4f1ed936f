"""The lifecycle rule of golden checkpoints."""

from __future__ import annotations

from neuron_cluster.checkpoints.golden import GOLDEN_PREFIX
from neuron_cluster.plan.storage_plan import LifecycleRulePlan

GOLDEN_RULE = "expire-golden"


def golden_rule(days: int, noncurrent_version_days: int) -> LifecycleRulePlan:
    """The prefix is that of the planner, which counts its cost."""
    return LifecycleRulePlan(GOLDEN_RULE, GOLDEN_PREFIX, days, noncurrent_version_days)
