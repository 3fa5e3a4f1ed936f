"""S3 buckets without a customer managed KMS key."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from neuron_cluster.template_rules.base import ResourceRule, Violation
from neuron_cluster.template_rules.look_up import LookUp
from neuron_cluster.template_rules.property_tree import at, is_unknown, items
from neuron_cluster.template_rules.template_resource import TemplateResource

if TYPE_CHECKING:
    from neuron_cluster.catalog.catalog import Catalog


class BucketWithoutCustomerManagedKey(ResourceRule):
    """S3 buckets encrypt with a customer managed KMS key (`BucketEncryption`).

    Reading the data then requires permission in the key policy as well.
    """

    id = "E8402"
    operation = "s3:CreateBucket"
    error_code = None
    source = "https://docs.aws.amazon.com/AmazonS3/latest/userguide/UsingKMSEncryption.html"
    types = ("AWS::S3::Bucket",)

    def check(self, resource: TemplateResource, look_up: LookUp, catalog: Catalog) -> Iterator[Violation]:
        del look_up, catalog
        config = at(resource.properties, "BucketEncryption", "ServerSideEncryptionConfiguration")
        defaults = [at(rule, "ServerSideEncryptionByDefault") for rule in items(config)]
        has_key = any(at(default, "KMSMasterKeyID") is not None for default in defaults)
        if not has_key and not is_unknown(config):
            hint = (
                "write ServerSideEncryptionConfiguration: [{ServerSideEncryptionByDefault: {SSEAlgorithm: aws:kms, "
                "KMSMasterKeyID: …}}] with the ARN of the environment's data key"
            )
            yield Violation("BucketEncryption", "sets no KMS key; a customer managed key is required", hint)
