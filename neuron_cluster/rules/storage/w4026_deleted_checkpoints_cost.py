from __future__ import annotations

from neuron_cluster.checkpoints.assessment import Assessment
from neuron_cluster.checkpoints.direct_bucket import DirectBucket
from neuron_cluster.checkpoints.monthly_cost import deleted_cost, total
from neuron_cluster.checkpoints.plan_checkpoints import CheckpointPlan
from neuron_cluster.findings.text import counted
from neuron_cluster.resolved.bucket_retention import EXPIRE_DAYS
from neuron_cluster.rules.base import Violation, Violations
from neuron_cluster.rules.checkpoint_rule import CheckpointRule

PARTS = 5
"""Parts of the monthly cost: more than one of them is too much."""


class DeletedCheckpointsCost(CheckpointRule):
    """Deleted checkpoints in the bucket cost at most a fifth of the storage (`noncurrent_version_days`).

    A training deletes its older checkpoints, and a versioned bucket keeps each of them for noncurrent_version_days.

    Without this check AWS reports no error. The deleted checkpoints can cost several times as much as the file system.
    """

    id = "W4026"
    source = "https://docs.aws.amazon.com/AmazonS3/latest/userguide/troubleshoot-versioning.html"
    proposes = ("mode", "noncurrent_version_days")

    def compare(self, plan: CheckpointPlan, assessment: Assessment) -> Violations:
        bucket, given = plan.spec.bucket, plan.given
        if bucket is None or bucket.expire_days is not None or given is None:
            return
        hint = f"set mode: archive and expire_days: {EXPIRE_DAYS} in sync, or lower noncurrent_version_days"
        if isinstance(assessment.target, DirectBucket):
            if bucket.noncurrent_days == 1:  # the least that S3 accepts
                return
            hint = "write noncurrent_version_days: 1"
        whole, deleted = total(given.costs), deleted_cost(plan.spec, given.assessment, given.costs)
        if whole is None or deleted is None or deleted * PARTS <= whole:
            return
        days = counted(bucket.noncurrent_days, "day")
        yield Violation(
            ("storage", "checkpoint_bucket", "noncurrent_version_days"),
            f"{days} of deleted checkpoints cost {deleted:,.0f} of {whole:,.0f} USD a month",
            hint,
        )
