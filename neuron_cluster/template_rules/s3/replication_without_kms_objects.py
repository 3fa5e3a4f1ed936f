from __future__ import annotations

from neuron_cluster.template_rules.base import TemplateContext, TemplateRule, Violation, Violations
from neuron_cluster.template_rules.property_tree import at, is_unknown, items


class ReplicationWithoutKmsObjects(TemplateRule):
    """Replication rules of a bucket with a KMS key name its objects (`SourceSelectionCriteria`).

    S3 leaves out objects that are encrypted with a key of KMS, unless a rule has SseKmsEncryptedObjects and the key of
    the target. Without this check AWS reports no error, and the replica stays empty.
    """

    id = "E8411"
    operation = "s3:PutBucketReplication"
    error_code = None
    source = "https://docs.aws.amazon.com/AmazonS3/latest/userguide/replication-config-for-kms-objects.html"
    types = ("AWS::S3::Bucket",)

    def check(self, context: TemplateContext) -> Violations:
        encryption = items(at(context.resource.properties, "BucketEncryption", "ServerSideEncryptionConfiguration"))
        if all(at(each, "ServerSideEncryptionByDefault", "KMSMasterKeyID") is None for each in encryption):
            return
        for position, rule in enumerate(items(at(context.resource.properties, "ReplicationConfiguration", "Rules"))):
            path = f"ReplicationConfiguration.Rules[{position}]"
            status = at(rule, "SourceSelectionCriteria", "SseKmsEncryptedObjects", "Status")
            if status != "Enabled" and not is_unknown(status):
                yield Violation(
                    f"{path}.SourceSelectionCriteria",
                    f"SseKmsEncryptedObjects is {status or 'not set'}; the bucket encrypts with a key of KMS",
                    "set SourceSelectionCriteria: {SseKmsEncryptedObjects: {Status: Enabled}}",
                )
            if at(rule, "Destination", "EncryptionConfiguration", "ReplicaKmsKeyID") is None:
                yield Violation(
                    f"{path}.Destination.EncryptionConfiguration",
                    "sets no ReplicaKmsKeyID; copies of objects with a key of KMS need one",
                    "set EncryptionConfiguration: {ReplicaKmsKeyID: …} with a key in the Region of the target",
                )
