from __future__ import annotations

from neuron_cluster.config.backup import BackupResource
from neuron_cluster.rules.base import Rule, RuleContext, Violation, Violations

WITH_COLD_STORAGE = {BackupResource.HOMES, BackupResource.EFS}


class ShortColdStorage(Rule):
    """Only homes and EFS have cold storage, and recovery points stay there for its minimum (`cold_after_days`).

    Without this check AWS Backup rejects the plan (InvalidParameterValueException), or keeps recovery points of the
    bucket and of Lustre in warm storage.
    """

    id = "E4083"
    source = "https://docs.aws.amazon.com/aws-backup/latest/devguide/API_Lifecycle.html"
    proposes = ("cold_after_days", "delete_after_days", "resources")

    def check(self, context: RuleContext) -> Violations:
        storage = context.environment.config.storage
        backup = storage.backup if storage is not None else None
        if backup is None:
            return
        least = context.catalog.limits["backup_cold_storage_days"].require_minimum()
        for position, rule in enumerate(backup.rules):
            path = ("storage", "backup", "rules", position)
            if rule.cold_after_days is None:
                continue
            if not WITH_COLD_STORAGE & {*backup.resources}:
                named = ", ".join(each.value for each in backup.resources)
                message = f"AWS Backup has no cold storage for {named}"
                yield Violation((*path, "cold_after_days"), message, "remove cold_after_days")
            elif rule.delete_after_days < rule.cold_after_days + least:
                needed = rule.cold_after_days + least
                yield Violation(
                    (*path, "delete_after_days"),
                    f"recovery points are deleted {rule.delete_after_days} days after they are made, and are moved to "
                    f"cold storage after {rule.cold_after_days}, where they stay for {least} days or more",
                    f"set delete_after_days: {needed}, or remove cold_after_days",
                )
