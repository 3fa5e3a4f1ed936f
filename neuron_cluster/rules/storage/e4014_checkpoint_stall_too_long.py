from __future__ import annotations

from neuron_cluster.checkpoints.assessment import Assessment, Shortfall
from neuron_cluster.checkpoints.plan_checkpoints import CheckpointPlan
from neuron_cluster.findings.text import size_text, time_text
from neuron_cluster.rules.base import Violation, Violations
from neuron_cluster.rules.checkpoint_hints import enough_storage
from neuron_cluster.rules.checkpoint_rule import CheckpointRule


class CheckpointStallTooLong(CheckpointRule):
    """A synchronous save ends within the stall (`storage.checkpoints.stall_seconds`).

    Tiers of 125 and 250 MB/s per TiB write up to 500 MB/s per TiB while burst credits last: the first saves are faster
    than those that follow. The message names the time of such a save where it is short enough: no plan relies on it.

    Without this check AWS reports no error. All nodes wait for each save for longer than planned.
    """

    id = "E4014"
    source = "https://docs.aws.amazon.com/fsx/latest/LustreGuide/performance.html"

    def compare(self, plan: CheckpointPlan, assessment: Assessment) -> Violations:
        if Shortfall.STALL not in assessment.shortfalls:
            return
        spec = plan.spec
        save = time_text(max(assessment.write, assessment.creates))
        in_burst = max(assessment.burst_write, assessment.creates)
        burst = f" ({time_text(in_burst)} while burst credits last)" if in_burst <= spec.stall else ""
        yield Violation(
            ("storage", "checkpoints", "stall_seconds"),
            f"a save of {size_text(spec.size)} in {spec.files:,} files takes {save} on {assessment.target}{burst}, and "
            f"the training waits {time_text(spec.stall)} at most",
            enough_storage(plan, "raise stall_seconds, or set mode: async"),
        )
