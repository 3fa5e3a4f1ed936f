from __future__ import annotations

from neuron_cluster.template_rules.base import TemplateContext, TemplateRule, Violation, Violations
from neuron_cluster.template_rules.property_tree import at, is_true, is_unknown


class PublicAccessNotBlocked(TemplateRule):
    """S3 buckets set all four public access blocks (`PublicAccessBlockConfiguration`)."""

    id = "E8401"
    operation = "s3:CreateBucket"
    error_code = None
    source = "https://docs.aws.amazon.com/AmazonS3/latest/userguide/access-control-block-public-access.html"
    types = ("AWS::S3::Bucket",)

    def check(self, context: TemplateContext) -> Violations:
        for name in ("BlockPublicAcls", "BlockPublicPolicy", "IgnorePublicAcls", "RestrictPublicBuckets"):
            given = at(context.resource.properties, "PublicAccessBlockConfiguration", name)
            if not is_true(given) and not is_unknown(given):
                yield Violation(
                    f"PublicAccessBlockConfiguration.{name}",
                    "is not true; public access must be blocked",
                    f"set {name}: true",
                )
