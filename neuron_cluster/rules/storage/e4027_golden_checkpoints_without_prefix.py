from __future__ import annotations

from neuron_cluster.checkpoints.golden import GOLDEN_PREFIX
from neuron_cluster.rules.base import Rule, RuleContext, Violation, Violations


class GoldenCheckpointsWithoutPrefix(Rule):
    """Golden checkpoints have a prefix of their own in the checkpoint bucket (`storage.checkpoints.golden_every`).

    Objects of the synchronized prefix expire, or follow the file system. Lifecycle rules have no exceptions: what is
    kept longer has another prefix.

    Without this check S3 deletes golden checkpoints with all others, or nothing keeps them.
    """

    id = "E4027"
    source = "https://docs.aws.amazon.com/AmazonS3/latest/userguide/intro-lifecycle-filters.html"
    proposes = ("prefix", "golden_every", "golden_days", "checkpoint_bucket")

    def check(self, context: RuleContext) -> Violations:
        storage = context.environment.config.storage
        if storage is None or storage.checkpoints is None:
            return
        keys = [key for key in ("golden_every", "golden_days") if getattr(storage.checkpoints, key) is not None]
        if keys and storage.checkpoint_bucket is None:
            yield Violation(
                ("storage", "checkpoints", keys[0]),
                f"{keys[0]} is set, but there is no checkpoint_bucket",
                f"add checkpoint_bucket, or remove {' and '.join(keys)}",
            )
        sync = storage.lustre.sync if storage.lustre is not None else None
        if keys and sync is not None and f"{sync.prefix}/".startswith(GOLDEN_PREFIX):
            yield Violation(
                ("storage", "lustre", "sync", "prefix"),
                f"prefix is {sync.prefix}, and golden checkpoints are in {GOLDEN_PREFIX} of the bucket",
                f"synchronize another prefix, such as checkpoints, or remove {' and '.join(keys)}",
            )
