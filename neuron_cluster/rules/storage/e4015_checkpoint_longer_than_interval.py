from __future__ import annotations

from neuron_cluster.checkpoints.assessment import Assessment, Shortfall
from neuron_cluster.checkpoints.plan_checkpoints import CheckpointPlan
from neuron_cluster.findings.text import size_text, time_text
from neuron_cluster.rules.base import Violation, Violations
from neuron_cluster.rules.checkpoint_hints import enough_storage
from neuron_cluster.rules.checkpoint_rule import CheckpointRule


class CheckpointLongerThanInterval(CheckpointRule):
    """A save ends before the next one begins (`storage.checkpoints.interval_minutes`).

    Without interval_minutes the interval is the one with the least loss (Young), from the stall and the failures of the
    nodes.

    Without this check AWS reports no error. Asynchronous saves queue up in host memory until a node runs out of it, or
    the framework and the training wait for the last save.
    """

    id = "E4015"
    source = "https://docs.aws.amazon.com/fsx/latest/LustreGuide/performance.html"

    def compare(self, plan: CheckpointPlan, assessment: Assessment) -> Violations:
        if Shortfall.INTERVAL not in assessment.shortfalls:
            return
        spec = plan.spec
        interval = spec.interval if spec.interval is not None else assessment.young
        yield Violation(
            ("storage", "checkpoints", "interval_minutes"),
            f"a save of {size_text(spec.size)} in {spec.files:,} files takes "
            f"{time_text(max(assessment.write, assessment.creates))} on {assessment.target}, longer than the "
            f"interval of {time_text(interval)}",
            enough_storage(plan, "raise interval_minutes"),
        )
