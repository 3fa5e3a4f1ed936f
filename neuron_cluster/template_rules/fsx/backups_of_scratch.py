from __future__ import annotations

from neuron_cluster.template_rules.base import TemplateContext, TemplateRule, Violation, Violations
from neuron_cluster.template_rules.fsx.lustre import deployment_of
from neuron_cluster.template_rules.property_tree import at, whole_number


class BackupsOfScratch(TemplateRule):
    """A scratch file system has no automatic backups (`AutomaticBackupRetentionDays`)."""

    id = "E8307"
    operation = "fsx:CreateFileSystem"
    error_code = "BadRequest"
    source = "https://docs.aws.amazon.com/fsx/latest/LustreGuide/using-backups-fsx.html"
    types = ("AWS::FSx::FileSystem",)

    def check(self, context: TemplateContext) -> Violations:
        deployment = deployment_of(context.resource, context.catalog)
        days = whole_number(at(context.resource.properties, "LustreConfiguration", "AutomaticBackupRetentionDays"))
        if deployment is not None and not deployment.durable and days:
            yield Violation(
                "LustreConfiguration.AutomaticBackupRetentionDays",
                f"is {days}; FSx makes no backups of {deployment.name}",
                "remove AutomaticBackupRetentionDays",
            )
