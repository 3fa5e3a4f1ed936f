"""Replication rules that skip objects that are encrypted with KMS."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from neuron_cluster.template_rules.base import ResourceRule, Violation
from neuron_cluster.template_rules.look_up import LookUp
from neuron_cluster.template_rules.property_tree import at, is_unknown, items, text
from neuron_cluster.template_rules.template_resource import TemplateResource

if TYPE_CHECKING:
    from neuron_cluster.catalog.catalog import Catalog

KMS = ("aws:kms", "aws:kms:dsse")


class ReplicationSkipsEncryptedObjects(ResourceRule):
    """Replication rules of a bucket that encrypts with KMS select its objects (`SourceSelectionCriteria`).

    S3 accepts the rule and replicates no object that is encrypted with a KMS key, which are all in this bucket.
    """

    id = "E8406"
    operation = "s3:PutBucketReplication"
    error_code = None
    source = "https://docs.aws.amazon.com/AmazonS3/latest/userguide/replication-what-is-isnot-replicated.html"
    types = ("AWS::S3::Bucket",)

    def check(self, resource: TemplateResource, look_up: LookUp, catalog: Catalog) -> Iterator[Violation]:
        del look_up, catalog
        encryption = items(at(resource.properties, "BucketEncryption", "ServerSideEncryptionConfiguration"))
        algorithms = [text(at(each, "ServerSideEncryptionByDefault", "SSEAlgorithm")) for each in encryption]
        if not any(each in KMS for each in algorithms):
            return
        rules = items(at(resource.properties, "ReplicationConfiguration", "Rules"))
        for position, rule in enumerate(rules):
            status = at(rule, "SourceSelectionCriteria", "SseKmsEncryptedObjects", "Status")
            if status != "Enabled" and not is_unknown(status):
                yield Violation(
                    f"ReplicationConfiguration.Rules[{position}].SourceSelectionCriteria",
                    "does not select objects that are encrypted with KMS",
                    "set SourceSelectionCriteria: {SseKmsEncryptedObjects: {Status: Enabled}}",
                )
