from __future__ import annotations

from neuron_cluster.rules.base import Rule, RuleContext, Violation, Violations


class SyncWithoutBucket(Rule):
    """A Lustre folder is mirrored only to the environment's checkpoint bucket (`storage.lustre.sync`).

    Without this check the data repository association has no bucket, and synthesis fails.
    """

    id = "E4006"
    source = "https://docs.aws.amazon.com/fsx/latest/LustreGuide/create-dra-linked-data-repo.html"
    proposes = ("checkpoint_bucket", "storage", "sync")

    def check(self, context: RuleContext) -> Violations:
        config = context.environment.config
        storage = config.storage
        if storage is None or storage.lustre is None or storage.lustre.sync is None or storage.checkpoint_bucket:
            return
        yield Violation(
            ("storage", "lustre", "sync"),
            "sync mirrors a folder to the checkpoint bucket, but storage.checkpoint_bucket is not set",
            "add `checkpoint_bucket: {}` to storage, or remove sync",
        )
