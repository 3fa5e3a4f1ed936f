from __future__ import annotations

from neuron_cluster.config.lustre import SyncMode
from neuron_cluster.resolved.bucket_retention import sync_mode
from neuron_cluster.rules.base import Rule, RuleContext, Violation, Violations


class ExpireDaysWithoutArchive(Rule):
    """Only an archive expires (`storage.lustre.sync.expire_days`).

    Without this check the key has no effect: a mirror has each object as long as the file system has its file.
    """

    id = "E4025"
    source = "https://docs.aws.amazon.com/fsx/latest/LustreGuide/autoexport-data-repo-dra.html"
    proposes = ("mode", "expire_days")

    def check(self, context: RuleContext) -> Violations:
        storage = context.environment.config.storage
        sync = storage.lustre.sync if storage is not None and storage.lustre is not None else None
        if sync is None or sync.expire_days is None or sync_mode(sync) is SyncMode.ARCHIVE:
            return
        yield Violation(
            ("storage", "lustre", "sync", "expire_days"),
            "a mirror has no expiry: it deletes an object when its file is deleted",
            "set mode: archive, or remove expire_days",
        )
