from __future__ import annotations

from neuron_cluster.config.lustre import LustreMetadata
from neuron_cluster.findings.text import listed
from neuron_cluster.rules.base import Rule, RuleContext, Violation, Violations


class LustreMetadataNotSupported(Rule):
    """`storage.lustre.metadata: automatic` is set only for deployment types with a metadata configuration.

    Only PERSISTENT_2 has one; the metadata IOPS of the others are fixed.

    Without this check FSx rejects the file system with BadRequest, and the storage stack rolls back.
    """

    id = "E4009"
    source = (
        "https://docs.aws.amazon.com/fsx/latest/LustreGuide/managing-metadata-performance.html; "
        "boto/botocore 1.44.5: fsx CreateFileSystemLustreMetadataConfiguration"
    )
    proposes = ("deployment_type", "metadata")

    def check(self, context: RuleContext) -> Violations:
        config = context.environment.config
        lustre = config.storage.lustre if config.storage is not None else None
        row = (
            context.catalog.lustre_deployments.get(lustre.deployment_type.value.upper()) if lustre is not None else None
        )
        if lustre is None or row is None or row.metadata_iops or lustre.metadata is not LustreMetadata.AUTOMATIC:
            return
        others = [other.name.lower() for other in context.catalog.lustre_deployments if other.metadata_iops]
        yield Violation(
            ("storage", "lustre", "metadata"),
            f"metadata is automatic, but {lustre.deployment_type.value} does not support a metadata configuration",
            f"remove metadata, or set deployment_type: {listed(others, 'or')}",
        )
