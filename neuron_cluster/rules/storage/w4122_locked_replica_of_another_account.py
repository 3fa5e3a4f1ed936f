from __future__ import annotations

from neuron_cluster.rules.base import Rule, RuleContext, Violation, Violations


class LockedReplicaOfAnotherAccount(Rule):
    """The owner of a target in another account enables Object Lock for it (`object_lock`, `replication.account`).

    S3 copies no object of a bucket with Object Lock to a bucket without it, and a deploy cannot read the bucket of
    another account.

    Without this check AWS reports no error: the ReplicationStatus of each object is FAILED, and there is no copy.
    """

    id = "W4122"
    source = "https://docs.aws.amazon.com/AmazonS3/latest/userguide/object-lock-managing.html"

    def check(self, context: RuleContext) -> Violations:
        storage = context.environment.config.storage
        bucket = storage.checkpoint_bucket if storage is not None else None
        if bucket is None or bucket.object_lock is None or bucket.replication is None:
            return
        account = bucket.replication.account
        if account is not None and account != context.environment.config.account:
            yield Violation(
                ("storage", "checkpoint_bucket", "replication", "account"),
                f"no deploy can read whether {bucket.replication.bucket} of account {account} has Object Lock, which "
                "S3 needs to copy objects of a bucket with object_lock",
                "its owner enables Object Lock: aws s3api put-object-lock-configuration --bucket "
                f"{bucket.replication.bucket} --object-lock-configuration ObjectLockEnabled=Enabled. Then check that "
                "ReplicationStatus of a new object becomes COMPLETED (docs/data-protection.md)",
            )
