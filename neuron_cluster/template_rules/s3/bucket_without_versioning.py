from __future__ import annotations

from neuron_cluster.template_rules.base import TemplateContext, TemplateRule, Violation, Violations
from neuron_cluster.template_rules.property_tree import at, is_unknown


class BucketWithoutVersioning(TemplateRule):
    """S3 buckets have versioning enabled (`VersioningConfiguration`).

    A checkpoint that a job overwrites by mistake can then be restored.
    """

    id = "E8403"
    operation = "s3:CreateBucket"
    error_code = None
    source = "https://docs.aws.amazon.com/AmazonS3/latest/userguide/Versioning.html"
    types = ("AWS::S3::Bucket",)

    def check(self, context: TemplateContext) -> Violations:
        status = at(context.resource.properties, "VersioningConfiguration", "Status")
        if status != "Enabled" and not is_unknown(status):
            yield Violation(
                "VersioningConfiguration.Status", f"is {status or 'not set'}; it must be Enabled", "set Status: Enabled"
            )
