from __future__ import annotations

from neuron_cluster.template_rules.base import TemplateContext, TemplateRule, Violation, Violations
from neuron_cluster.template_rules.property_tree import at, is_true, items, whole_number


class ContinuousBackupRetention(TemplateRule):
    """Continuous backups are kept for at most 35 days (`EnableContinuousBackup`)."""

    id = "E8003"
    operation = "backup:CreateBackupPlan"
    error_code = "InvalidParameterValueException"
    source = "https://docs.aws.amazon.com/aws-backup/latest/devguide/point-in-time-recovery-retention-period.html"
    references = ("aws/aws-cdk#17602",)
    types = ("AWS::Backup::BackupPlan",)

    def check(self, context: TemplateContext) -> Violations:
        most = context.catalog.limits["backup_continuous_days"].require_maximum()
        for position, rule in enumerate(items(at(context.resource.properties, "BackupPlan", "BackupPlanRule"))):
            days = whole_number(at(rule, "Lifecycle", "DeleteAfterDays"))
            if is_true(at(rule, "EnableContinuousBackup")) and days is not None and days > most:
                yield Violation(
                    f"BackupPlan.BackupPlanRule[{position}].Lifecycle.DeleteAfterDays",
                    f"is {days}; continuous backups are kept for at most {most} days",
                    f"set DeleteAfterDays: {most}",
                )
