from __future__ import annotations

from neuron_cluster.rules.base import Rule, RuleContext, Violation, Violations


class ReplicaInSameRegion(Rule):
    """A replica is in another Region or account than the environment (`replication.region`, `replication.account`).

    S3 keeps each object in several zones already. A copy in the same Region and account is within reach of the same
    credentials, and of the same outage.

    Without this check AWS reports no error.
    """

    id = "W4089"
    source = "https://docs.aws.amazon.com/AmazonS3/latest/userguide/replication.html"
    proposes = ("replication",)

    def check(self, context: RuleContext) -> Violations:
        config = context.environment.config
        storage = config.storage
        bucket = storage.checkpoint_bucket if storage is not None else None
        replication = bucket.replication if bucket is not None else None
        if replication is None or replication.region != config.region:
            return
        if replication.account in (None, config.account):
            yield Violation(
                ("storage", "checkpoint_bucket", "replication", "region"),
                f"the target bucket is in {config.region} and in account {config.account}, as the environment is",
                "use a target bucket in another Region with its key_arn, or one of another account",
            )
