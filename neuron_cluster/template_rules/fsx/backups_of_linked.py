"""Automatic backups of Lustre file systems that are linked to a bucket."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from neuron_cluster.template_rules.base import ResourceRule, Violation
from neuron_cluster.template_rules.look_up import LookUp
from neuron_cluster.template_rules.property_tree import at, whole_number
from neuron_cluster.template_rules.template_resource import TemplateResource

if TYPE_CHECKING:
    from neuron_cluster.catalog.catalog import Catalog


class BackupsOfLinked(ResourceRule):
    """A file system has associations or automatic backups, not both (`AutomaticBackupRetentionDays`)."""

    id = "E8308"
    operation = "fsx:CreateDataRepositoryAssociation"
    error_code = "BadRequest"
    source = "https://docs.aws.amazon.com/fsx/latest/LustreGuide/using-backups-fsx.html"
    types = ("AWS::FSx::DataRepositoryAssociation",)

    def check(self, resource: TemplateResource, look_up: LookUp, catalog: Catalog) -> Iterator[Violation]:
        del catalog
        file_system = look_up.referred(resource.properties.get("FileSystemId"))
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
