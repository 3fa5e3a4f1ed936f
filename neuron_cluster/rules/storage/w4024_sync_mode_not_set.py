from __future__ import annotations

from neuron_cluster.resolved.bucket_retention import EXPIRE_DAYS
from neuron_cluster.rules.base import Rule, RuleContext, Violation, Violations


class SyncModeNotSet(Rule):
    """A file with `sync` decides about deletions (`storage.lustre.sync.mode`).

    With mirror, `rm` on the file system deletes the objects of these files in the bucket. With archive they stay, and a
    lifecycle rule deletes each object of the prefix expire_days after its write.

    Without this check AWS reports no error. `mode` is mirror where it is absent, so one wrong `rm -r` deletes all
    checkpoints on both sides, and versions of them are all that is left.
    """

    id = "W4024"
    source = "https://docs.aws.amazon.com/fsx/latest/LustreGuide/autoexport-data-repo-dra.html"
    proposes = ("mode",)

    def check(self, context: RuleContext) -> Violations:
        storage = context.environment.config.storage
        if storage is None or storage.lustre is None or storage.lustre.sync is None or storage.lustre.sync.mode:
            return
        days = storage.checkpoint_bucket.noncurrent_version_days if storage.checkpoint_bucket is not None else 0
        yield Violation(
            ("storage", "lustre", "sync"),
            "mode is not set, so it is mirror: what is deleted on the file system is deleted in the bucket, too, and "
            f"can be restored for {days} {'day' if days == 1 else 'days'}",
            f"write mode: archive (S3 deletes objects {EXPIRE_DAYS} days after their write; see expire_days), or "
            "mode: mirror",
        )
