"""Automatic backups of Lustre file systems that cannot have any."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from neuron_cluster.template_rules.base import ResourceRule, Violation
from neuron_cluster.template_rules.fsx.lustre import deployment_of
from neuron_cluster.template_rules.look_up import LookUp
from neuron_cluster.template_rules.property_tree import at, whole_number
from neuron_cluster.template_rules.template_resource import TemplateResource

if TYPE_CHECKING:
    from neuron_cluster.catalog.catalog import Catalog


class BackupsOfScratch(ResourceRule):
    """A scratch file system has no automatic backups (`AutomaticBackupRetentionDays`)."""

    id = "E8307"
    operation = "fsx:CreateFileSystem"
    error_code = "BadRequest"
    source = "https://docs.aws.amazon.com/fsx/latest/LustreGuide/using-backups-fsx.html"
    types = ("AWS::FSx::FileSystem",)

    def check(self, resource: TemplateResource, look_up: LookUp, catalog: Catalog) -> Iterator[Violation]:
        del look_up
        deployment = deployment_of(resource, catalog)
        days = whole_number(at(resource.properties, "LustreConfiguration", "AutomaticBackupRetentionDays"))
        if deployment is not None and not deployment.durable and days:
            yield Violation(
                "LustreConfiguration.AutomaticBackupRetentionDays",
                f"is {days}; FSx makes no backups of {deployment.name}",
                "remove AutomaticBackupRetentionDays",
            )
