from __future__ import annotations

from neuron_cluster.rules.base import Rule, RuleContext, Violation, Violations


class ReplicatedDeleteMarkers(Rule):
    """A replica keeps what is deleted in the checkpoint bucket (`replication.delete_markers`).

    A delete marker hides an object. Where it is copied, a prefix that is emptied by mistake looks empty in the
    replica too, and a lifecycle rule of the target deletes the noncurrent versions there.

    Without this check AWS reports no error.
    """

    id = "W4086"
    source = "https://docs.aws.amazon.com/AmazonS3/latest/userguide/delete-marker-replication.html"

    def check(self, context: RuleContext) -> Violations:
        storage = context.environment.config.storage
        bucket = storage.checkpoint_bucket if storage is not None else None
        if bucket is not None and bucket.replication is not None and bucket.replication.delete_markers:
            yield Violation(
                ("storage", "checkpoint_bucket", "replication", "delete_markers"),
                f"what is deleted in the checkpoint bucket is hidden in {bucket.replication.bucket} too",
                "remove delete_markers, and delete old copies by a lifecycle rule of the target bucket",
            )
