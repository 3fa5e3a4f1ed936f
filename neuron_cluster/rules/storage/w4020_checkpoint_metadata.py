from __future__ import annotations

from neuron_cluster.checkpoints.assessment import Assessment
from neuron_cluster.checkpoints.direct_bucket import DirectBucket
from neuron_cluster.checkpoints.plan_checkpoints import CheckpointPlan
from neuron_cluster.findings.text import time_text
from neuron_cluster.rules.base import Violation, Violations
from neuron_cluster.rules.checkpoint_rule import CheckpointRule

LONGEST_SECONDS, LEAST_RATIO = 30, 10
"""The stall, or the write where that is longer, takes so many times as long."""


class CheckpointMetadata(CheckpointRule):
    """The files of a checkpoint are created in a small part of a save (`storage.checkpoints.framework`).

    That is a tenth of the stall, or of the write where it is longer, and 30 seconds at most.

    A file system creates two files a second for each of its metadata IOPS, which grow with the capacity. NeuronX
    Distributed with use_xser writes a file for each tensor and rank: 187,000 for a model of 70 billion parameters. A
    prefix of a bucket takes 3,500 PUT requests a second, several for each object.

    Without this check AWS reports no error. All ranks wait for the metadata server.
    """

    id = "W4020"
    source = "https://docs.aws.amazon.com/fsx/latest/LustreGuide/managing-metadata-performance.html"

    def compare(self, plan: CheckpointPlan, assessment: Assessment) -> Violations:
        spec = plan.spec
        if assessment.creates <= min(LONGEST_SECONDS, max(spec.stall, assessment.write) / LEAST_RATIO):
            return
        larger = "" if isinstance(assessment.target, DirectBucket) else "raise capacity_gib, or "
        yield Violation(
            ("storage", "checkpoints", "framework"),
            f"{spec.layout.name} writes {spec.files:,} files, which {assessment.target} creates in "
            f"{time_text(assessment.creates)}",
            f"{larger}choose a framework with fewer files: dcp writes one for each rank",
        )
