from __future__ import annotations

from neuron_cluster.config.lustre import LustreStorageType
from neuron_cluster.rules.base import Rule, RuleContext, Violation, Violations


class CheckpointsOnIntelligentTiering(Rule):
    """Checkpoints are planned for file systems on SSD (`storage.lustre.storage_type`).

    No source has what a file system of Intelligent-Tiering writes for how long, and it is not linked to the bucket.

    Without this check `plan` would print no figures of `storage.checkpoints`, and no reason.
    """

    id = "W4050"
    source = "https://docs.aws.amazon.com/fsx/latest/LustreGuide/performance.html"
    proposes = ("storage_type",)

    def check(self, context: RuleContext) -> Violations:
        storage = context.environment.config.storage
        lustre = storage.lustre if storage is not None else None
        if storage is None or storage.checkpoints is None or lustre is None:
            return
        if lustre.storage_type is LustreStorageType.INTELLIGENT_TIERING:
            yield Violation(
                ("storage", "checkpoints"),
                "checkpoints are not planned on a file system of intelligent_tiering",
                "set storage_type: ssd in lustre, or remove checkpoints",
            )
