from __future__ import annotations

from neuron_cluster.rules.base import Rule, RuleContext, Violation, Violations


class ObjectLockWithSync(Rule):
    """A bucket with Object Lock is not linked to a Lustre file system (`object_lock`, `sync`).

    In doubt: no source describes whether FSx exports files to a bucket with a default retention, for which S3
    requires a checksum in each request.

    Without this check AWS reports no error. Where the export fails, the bucket has no checkpoints.
    """

    id = "W4088"
    source = "https://docs.aws.amazon.com/AmazonS3/latest/userguide/object-lock-managing.html"
    proposes = ("object_lock", "sync")

    def check(self, context: RuleContext) -> Violations:
        storage = context.environment.config.storage
        bucket, lustre = (storage.checkpoint_bucket, storage.lustre) if storage is not None else (None, None)
        if bucket is None or bucket.object_lock is None or lustre is None or lustre.sync is None:
            return
        yield Violation(
            ("storage", "checkpoint_bucket", "object_lock"),
            "in doubt: the export of sync to a bucket with Object Lock was not tried",
            "remove object_lock or sync, or try it in an environment without data: a new file must appear in the "
            "bucket",
        )
