from __future__ import annotations

from neuron_cluster.config.checkpoint_bucket import CheckpointBucket
from neuron_cluster.config.lustre import SyncMode
from neuron_cluster.resolved.bucket_retention import sync_mode
from neuron_cluster.rules.base import Rule, RuleContext, Violation, Violations

USUAL_DAYS = CheckpointBucket.model_fields["noncurrent_version_days"].default


class ShortVersionRetention(Rule):
    """A mirrored checkpoint bucket keeps deleted objects for the default or longer (`noncurrent_version_days`).

    A mirror is not a backup: the data repository association copies deletions in both directions. `rm` on the file
    system deletes the objects of these files, and the bucket keeps their versions for noncurrent_version_days.

    Without this check AWS reports no error. After that time, files that were deleted by mistake cannot be restored.
    """

    id = "W4008"
    source = "https://docs.aws.amazon.com/fsx/latest/LustreGuide/autoexport-data-repo-dra.html"
    proposes = ("noncurrent_version_days",)

    def check(self, context: RuleContext) -> Violations:
        config = context.environment.config
        storage = config.storage
        bucket, lustre = (storage.checkpoint_bucket, storage.lustre) if storage is not None else (None, None)
        if bucket is None or lustre is None or lustre.sync is None or sync_mode(lustre.sync) is SyncMode.ARCHIVE:
            return
        days = bucket.noncurrent_version_days
        if days < USUAL_DAYS:
            yield Violation(
                ("storage", "checkpoint_bucket", "noncurrent_version_days"),
                "sync mirrors deletions: the bucket expires versions of files that were deleted on Lustre after "
                f"{days} {'day' if days == 1 else 'days'}",
                f"write noncurrent_version_days: {USUAL_DAYS}",
            )
