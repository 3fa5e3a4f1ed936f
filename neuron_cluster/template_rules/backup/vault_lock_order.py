from __future__ import annotations

from neuron_cluster.template_rules.base import TemplateContext, TemplateRule, Violation, Violations
from neuron_cluster.template_rules.property_tree import at, whole_number


class VaultLockOrder(TemplateRule):
    """The shortest retention of a vault lock is not above its longest (`LockConfiguration`)."""

    id = "E8001"
    operation = "backup:PutBackupVaultLockConfiguration"
    error_code = "InvalidParameterValueException"
    source = "https://docs.aws.amazon.com/aws-backup/latest/devguide/API_PutBackupVaultLockConfiguration.html"
    types = ("AWS::Backup::BackupVault",)

    def check(self, context: TemplateContext) -> Violations:
        least, most = (
            whole_number(at(context.resource.properties, "LockConfiguration", f"{end}RetentionDays"))
            for end in ("Min", "Max")
        )
        if least is not None and most is not None and least > most:
            yield Violation(
                "LockConfiguration.MinRetentionDays",
                f"is {least}, more than MaxRetentionDays, which is {most}",
                f"set MinRetentionDays: {most}",
            )
