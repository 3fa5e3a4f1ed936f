"""Vault locks whose minimum is above the maximum."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from neuron_cluster.template_rules.base import ResourceRule, Violation
from neuron_cluster.template_rules.look_up import LookUp
from neuron_cluster.template_rules.property_tree import at, whole_number
from neuron_cluster.template_rules.template_resource import TemplateResource

if TYPE_CHECKING:
    from neuron_cluster.catalog.catalog import Catalog


class VaultLockOrder(ResourceRule):
    """The shortest retention of a vault lock is not above its longest (`LockConfiguration`)."""

    id = "E8001"
    operation = "backup:PutBackupVaultLockConfiguration"
    error_code = "InvalidParameterValueException"
    source = "https://docs.aws.amazon.com/aws-backup/latest/devguide/API_PutBackupVaultLockConfiguration.html"
    types = ("AWS::Backup::BackupVault",)

    def check(self, resource: TemplateResource, look_up: LookUp, catalog: Catalog) -> Iterator[Violation]:
        del look_up, catalog
        least, most = (
            whole_number(at(resource.properties, "LockConfiguration", f"{end}RetentionDays")) for end in ("Min", "Max")
        )
        if least is not None and most is not None and least > most:
            yield Violation(
                "LockConfiguration.MinRetentionDays",
                f"is {least}, more than MaxRetentionDays, which is {most}",
                f"set MinRetentionDays: {most}",
            )
