from __future__ import annotations

import math

from neuron_cluster.checkpoints.assessment import Assessment
from neuron_cluster.checkpoints.plan_checkpoints import CheckpointPlan
from neuron_cluster.findings.text import time_text
from neuron_cluster.rules.base import Violation, Violations
from neuron_cluster.rules.checkpoint_rule import CheckpointRule


class CheckpointExportLag(CheckpointRule):
    """A checkpoint is in the bucket before the next one begins (`storage.lustre.sync`).

    Automatic export takes a share of the throughput of the file system, and a limited number of files a second.

    Without this check AWS reports no error. The export queue grows without end, and the newest checkpoint in the bucket
    is hours old when the zone is lost.
    """

    id = "W4021"
    source = "https://docs.aws.amazon.com/fsx/latest/LustreGuide/autoexport-data-repo-dra.html"

    def compare(self, plan: CheckpointPlan, assessment: Assessment) -> Violations:
        del plan
        if assessment.export is None or assessment.export <= assessment.interval:
            return
        yield Violation(
            ("storage", "lustre", "sync"),
            f"the export of a checkpoint takes about {time_text(assessment.export)}, and the next one begins after "
            f"{time_text(assessment.interval)}",
            f"raise interval_minutes to {math.ceil(assessment.export / 60)}, or raise throughput_mbps_per_tib",
        )
