from __future__ import annotations

import msgspec

from neuron_cluster.checkpoints.assessment import Assessment, assess
from neuron_cluster.checkpoints.plan_checkpoints import CheckpointPlan
from neuron_cluster.findings.text import time_text
from neuron_cluster.rules.base import Violation, Violations
from neuron_cluster.rules.checkpoint_rule import CheckpointRule

FACTOR = 2
"""An interval within this factor of the best one costs little more."""


class CheckpointIntervalOffOptimum(CheckpointRule):
    """The interval between checkpoints is near the one with the least loss (`storage.checkpoints.interval_minutes`).

    Near is between half and twice of it.

    Longer intervals repeat more steps after a failure, shorter ones wait more often for a save: the loss is least at
    sqrt(2 x stall x time between failures) (J. W. Young, 1974).

    Without this check AWS reports no error. Node hours are paid and lost.
    """

    id = "W4018"
    source = "https://doi.org/10.1145/361147.361115"

    def compare(self, plan: CheckpointPlan, assessment: Assessment) -> Violations:
        spec = plan.spec
        interval, best = spec.interval, max(assessment.young, assessment.write, assessment.creates)
        if interval is None or best / FACTOR <= interval <= best * FACTOR:
            return
        other = assess(msgspec.structs.replace(spec, interval=best), assessment.target)
        minutes = max(1, round(best / 60))
        yield Violation(
            ("storage", "checkpoints", "interval_minutes"),
            f"with checkpoints every {time_text(interval)} {assessment.lost.total:.1%} of the node hours are lost, "
            f"with one every {minutes} minutes {other.lost.total:.1%}",
            f"write interval_minutes: {minutes}, or remove interval_minutes",
        )
