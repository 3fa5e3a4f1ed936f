from __future__ import annotations

from neuron_cluster.rules.base import Rule, RuleContext, Violation, Violations


class CheckpointsNotPlanned(Rule):
    """Checkpoints are planned for a file system or a bucket (`storage.lustre`, `storage.checkpoint_bucket`).

    Without this check `plan` would print sizes and no times: nothing that the file defines takes the checkpoints.
    """

    id = "W4013"
    source = "https://docs.aws.amazon.com/fsx/latest/LustreGuide/performance.html"

    def check(self, context: RuleContext) -> Violations:
        storage = context.environment.config.storage
        if storage is None or storage.checkpoints is None:
            return
        if storage.lustre is None and storage.checkpoint_bucket is None:
            yield Violation(
                ("storage", "checkpoints"),
                "neither lustre nor checkpoint_bucket is set: checkpoints are not planned",
                "add lustre or checkpoint_bucket, or remove checkpoints",
            )
