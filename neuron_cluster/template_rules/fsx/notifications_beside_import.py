from __future__ import annotations

from neuron_cluster.template_rules.base import TemplateContext, TemplateRule, Violation, Violations
from neuron_cluster.template_rules.fsx.association import linked_bucket
from neuron_cluster.template_rules.property_tree import at, is_given


class NotificationsBesideImport(TemplateRule):
    """A bucket from which a file system imports has no notification configuration (`NotificationConfiguration`).

    FSx adds its own notification to the bucket. Each update of the bucket by CloudFormation writes the whole
    configuration and removes it: new objects no longer appear on the file system, without an error.
    """

    id = "E8313"
    operation = "fsx:CreateDataRepositoryAssociation"
    error_code = None
    source = "AllenXieSZ/storage: fsx-dra-eventbridge/README.md"
    types = ("AWS::FSx::DataRepositoryAssociation",)

    def check(self, context: TemplateContext) -> Violations:
        bucket = linked_bucket(context.resource, context.look_up)
        if bucket is None or not is_given(at(context.resource.properties, "S3", "AutoImportPolicy")):
            return
        if is_given(bucket.properties.get("NotificationConfiguration")):
            yield Violation(
                "S3.AutoImportPolicy",
                f"imports from {bucket.logical_id}, which has a NotificationConfiguration",
                f"remove NotificationConfiguration from {bucket.logical_id}, or remove AutoImportPolicy",
            )
