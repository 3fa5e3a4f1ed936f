from __future__ import annotations

from neuron_cluster.template_rules.base import TemplateContext, TemplateRule, Violation, Violations
from neuron_cluster.template_rules.property_tree import at, whole_number


class BackupsOfLinked(TemplateRule):
    """A file system has associations or automatic backups, not both (`AutomaticBackupRetentionDays`)."""

    id = "E8308"
    operation = "fsx:CreateDataRepositoryAssociation"
    error_code = "BadRequest"
    source = "https://docs.aws.amazon.com/fsx/latest/LustreGuide/using-backups-fsx.html"
    types = ("AWS::FSx::DataRepositoryAssociation",)

    def check(self, context: TemplateContext) -> Violations:
        file_system = context.look_up.referred(context.resource.properties.get("FileSystemId"))
        if file_system is None:
            return
        days = whole_number(at(file_system.properties, "LustreConfiguration", "AutomaticBackupRetentionDays"))
        if days:
            yield Violation(
                "FileSystemId",
                f"{file_system.logical_id} keeps automatic backups for {days} days, which excludes associations",
                f"remove AutomaticBackupRetentionDays from LustreConfiguration of {file_system.logical_id}",
                service_words="Backups cannot be enabled on S3-linked file systems.",
            )
