from __future__ import annotations

from neuron_cluster.checkpoints.assessment import Assessment, Shortfall
from neuron_cluster.checkpoints.plan_checkpoints import CheckpointPlan
from neuron_cluster.findings.text import size_text
from neuron_cluster.rules.base import Violation, Violations
from neuron_cluster.rules.checkpoint_hints import enough_storage
from neuron_cluster.rules.checkpoint_rule import CheckpointRule


class LustreTooSmallForCheckpoints(CheckpointRule):
    """The file system holds the kept checkpoints and one more (`storage.lustre.capacity_gib`).

    It is at most 80 % full while the newest one is written.

    Without this check AWS reports no error. Object storage targets that are almost full make writers wait, and a full
    one truncates the checkpoint.
    """

    id = "E4016"
    source = "https://repost.aws/knowledge-center/fsx-for-lustre-performance"

    def compare(self, plan: CheckpointPlan, assessment: Assessment) -> Violations:
        if Shortfall.CAPACITY not in assessment.shortfalls:
            return
        spec = plan.spec
        limit = assessment.file_system.performance.fill_limit
        yield Violation(
            ("storage", "lustre", "capacity_gib"),
            f"{spec.kept} kept checkpoints and one more of {size_text(spec.size)} need "
            f"{assessment.needed_capacity_gib:,.0f} GiB at {limit:.0%}, and capacity_gib is "
            f"{assessment.file_system.capacity_gib}",
            enough_storage(plan, "lower keep_latest"),
        )
