from __future__ import annotations

from neuron_cluster.config.backup import BackupResource
from neuron_cluster.findings.text import listed
from neuron_cluster.rules.base import Rule, RuleContext, Violation, Violations


class LustreWithoutBackups(Rule):
    """AWS Backup takes only a persistent Lustre file system that is not linked to S3 (`backup.resources`).

    Files of a linked file system are in the bucket: back up what must last there.

    Without this check the deploy succeeds, and each backup job of the file system fails.
    """

    id = "E4080"
    source = "https://docs.aws.amazon.com/fsx/latest/LustreGuide/using-backups-fsx.html"
    proposes = ("checkpoint_bucket", "deployment_type", "resources")

    def check(self, context: RuleContext) -> Violations:
        storage = context.environment.config.storage
        if storage is None or storage.backup is None or storage.lustre is None:
            return
        lustre, resources = storage.lustre, storage.backup.resources
        if BackupResource.LUSTRE not in resources:
            return
        path = ("storage", "backup", "resources", resources.index(BackupResource.LUSTRE))
        if lustre.sync is not None:
            yield Violation(
                path,
                "the file system has sync: FSx makes no backups of a file system that is linked to a bucket",
                "replace lustre with checkpoint_bucket, or remove it",
            )
            return
        row = context.catalog.lustre_deployments.get(lustre.deployment_type.value.upper())
        if row is not None and not row.durable:
            lasting = [other.name.lower() for other in context.catalog.lustre_deployments if other.durable]
            yield Violation(
                path,
                f"the file system is {lustre.deployment_type.value}, of which FSx makes no backups",
                f"remove lustre, or set deployment_type: {listed(lasting, 'or')}",
            )
