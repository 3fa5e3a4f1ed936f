from __future__ import annotations

from neuron_cluster.template_rules.base import TemplateContext, TemplateRule, Violation, Violations
from neuron_cluster.template_rules.property_tree import at, items, whole_number


class RetentionOutsideVaultLock(TemplateRule):
    """The retention of each rule of a plan is within the lock of its vault (`Lifecycle`).

    Without this check AWS reports no error for the plan, and each of its backup jobs fails.
    """

    id = "E8002"
    operation = "backup:CreateBackupPlan"
    error_code = None
    source = "https://docs.aws.amazon.com/aws-backup/latest/devguide/vault-lock.html"
    types = ("AWS::Backup::BackupPlan",)

    def check(self, context: TemplateContext) -> Violations:
        for position, rule in enumerate(items(at(context.resource.properties, "BackupPlan", "BackupPlanRule"))):
            vault = context.look_up.referred(at(rule, "TargetBackupVault"))
            days = whole_number(at(rule, "Lifecycle", "DeleteAfterDays"))
            if vault is None or days is None:
                continue
            lock = at(vault.properties, "LockConfiguration")
            least, most = whole_number(at(lock, "MinRetentionDays")), whole_number(at(lock, "MaxRetentionDays"))
            nearest = min(max(days, least or days), most or max(days, least or days))
            if nearest != days:
                yield Violation(
                    f"BackupPlan.BackupPlanRule[{position}].Lifecycle.DeleteAfterDays",
                    f"is {days}; the lock of {vault.logical_id} admits {least or 1} to {most or 'any number of'} days",
                    f"set DeleteAfterDays: {nearest}",
                )
