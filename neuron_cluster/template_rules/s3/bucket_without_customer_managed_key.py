from __future__ import annotations

from neuron_cluster.template_rules.base import TemplateContext, TemplateRule, Violation, Violations
from neuron_cluster.template_rules.disposable import holds_no_data
from neuron_cluster.template_rules.property_tree import at, is_unknown, items


class BucketWithoutCustomerManagedKey(TemplateRule):
    """S3 buckets encrypt with a customer managed KMS key (`BucketEncryption`).

    Reading the data then requires permission in the key policy as well. A bucket without data of a user has the reason
    in its metadata.
    """

    id = "E8402"
    operation = "s3:CreateBucket"
    error_code = None
    source = "https://docs.aws.amazon.com/AmazonS3/latest/userguide/UsingKMSEncryption.html"
    types = ("AWS::S3::Bucket",)

    def check(self, context: TemplateContext) -> Violations:
        if holds_no_data(context.resource):
            return
        config = at(context.resource.properties, "BucketEncryption", "ServerSideEncryptionConfiguration")
        defaults = [at(rule, "ServerSideEncryptionByDefault") for rule in items(config)]
        has_key = any(at(default, "KMSMasterKeyID") is not None for default in defaults)
        if not has_key and not is_unknown(config):
            hint = (
                "write ServerSideEncryptionConfiguration: [{ServerSideEncryptionByDefault: {SSEAlgorithm: aws:kms, "
                "KMSMasterKeyID: …}}] with the ARN of the environment's data key"
            )
            yield Violation("BucketEncryption", "sets no KMS key; a customer managed key is required", hint)
