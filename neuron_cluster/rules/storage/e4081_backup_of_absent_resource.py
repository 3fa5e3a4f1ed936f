from __future__ import annotations

from neuron_cluster.config.backup import BackupResource
from neuron_cluster.rules.base import Rule, RuleContext, Violation, Violations


class BackupOfAbsentResource(Rule):
    """What AWS Backup copies is a key of `storage`, named once (`backup.resources`).

    Without this check the vault stays empty, although the file names backups.
    """

    id = "E4081"
    source = "https://docs.aws.amazon.com/aws-backup/latest/devguide/assigning-resources.html"
    proposes = ("resources",)

    def check(self, context: RuleContext) -> Violations:
        storage = context.environment.config.storage
        if storage is None or storage.backup is None:
            return
        present = {
            BackupResource.HOMES: bool(storage.homes),
            BackupResource.LUSTRE: storage.lustre is not None,
            BackupResource.CHECKPOINT_BUCKET: storage.checkpoint_bucket is not None,
            BackupResource.EFS: storage.efs is not None,
        }
        there = [each.value for each in BackupResource if present[each]]
        named: set[BackupResource] = set()
        for position, resource in enumerate(storage.backup.resources):
            path = ("storage", "backup", "resources", position)
            if resource in named:
                yield Violation(path, f"{resource.value} is in the list twice", "remove one of them")
            elif not present[resource]:
                hint = f"set resources: [{', '.join(there)}]" if there else "remove backup"
                yield Violation(path, f"storage has no {resource.value}", hint)
            named.add(resource)
