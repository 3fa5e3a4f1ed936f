from __future__ import annotations

from neuron_cluster.rules.base import Rule, RuleContext, Violation, Violations


class InvalidReplicationTarget(Rule):
    """The target bucket has a valid name, and its key is in its Region (`replication.bucket`, `replication.key_arn`).

    It is another key than that of the bucket: who disables the key of both has no readable copy.

    Without this check S3 rejects the rules; with a key of another Region it accepts them, and each object has the
    replication status FAILED.
    """

    id = "E4085"
    source = "https://docs.aws.amazon.com/AmazonS3/latest/userguide/replication-config-for-kms-objects.html"
    proposes = ("replication",)

    def check(self, context: RuleContext) -> Violations:
        storage = context.environment.config.storage
        bucket = storage.checkpoint_bucket if storage is not None else None
        replication = bucket.replication if bucket is not None else None
        if replication is None:
            return
        path = ("storage", "checkpoint_bucket", "replication")
        if problem := context.catalog.limits["s3_bucket_name"].problem_with(replication.bucket):
            yield Violation((*path, "bucket"), f"{replication.bucket} {problem}", "write the name of the target bucket")
        if storage is not None and replication.key_arn == storage.key_arn:
            message = (
                "the key is that of the checkpoint bucket (storage.key_arn): without it both copies are unreadable"
            )
            yield Violation((*path, "key_arn"), message, "set key_arn to another key, best of another Region")
        of_key = replication.key_arn.split(":")[3]
        if of_key != replication.region:
            yield Violation(
                (*path, "key_arn"),
                f"the key is in {of_key}, the target bucket in {replication.region}: S3 encrypts copies with a key in "
                "the Region of their bucket",
                f"set key_arn to a key in {replication.region}, or region: {of_key} if the bucket is there",
            )
