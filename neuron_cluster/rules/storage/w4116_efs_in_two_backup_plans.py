from __future__ import annotations

from neuron_cluster.config.backup import BackupResource
from neuron_cluster.rules.base import Rule, RuleContext, Violation, Violations


class EfsInTwoBackupPlans(Rule):
    """The EFS file system is in one backup plan (`storage.efs.backup`, `storage.backup.resources`).

    `efs.backup` enables the default plan of EFS: daily recovery points for 35 days, in a vault of the account.

    Without this check AWS reports no error: each plan makes recovery points of its own, and both are billed.
    """

    id = "W4116"
    source = "https://docs.aws.amazon.com/efs/latest/ug/awsbackup.html"
    proposes = ("backup", "resources")

    def check(self, context: RuleContext) -> Violations:
        storage = context.environment.config.storage
        if storage is None or storage.backup is None or storage.efs is None or not storage.efs.backup:
            return
        if BackupResource.EFS in storage.backup.resources:
            yield Violation(
                ("storage", "efs", "backup"),
                "backup is true, and storage.backup has efs in resources: two plans make recovery points",
                "remove backup of efs, or remove efs from resources of storage.backup",
            )
