"""A directory bucket of S3 Express One Zone."""

from __future__ import annotations

import aws_cdk as cdk
from aws_cdk import aws_s3express as s3express
from constructs import Construct

from neuron_cluster.plan.storage_plan import ExpressPlan


class ExpressBucket(Construct):
    """Encrypted with the data key, which S3 never exchanges for another; its name ends with the zone.

    S3 blocks public access to directory buckets itself, and has no versions of their objects.
    """

    def __init__(
        self,
        scope: Construct,
        construct_id: str,
        plan: ExpressPlan,
        *,
        key_arn: str,
        removal_policy: cdk.RemovalPolicy,
    ) -> None:
        super().__init__(scope, construct_id)
        bucket = s3express.CfnDirectoryBucket(
            self,
            "Bucket",
            location_name=plan.zone_id,
            data_redundancy="SingleAvailabilityZone",
            bucket_encryption=_encrypted_with(key_arn),
            lifecycle_configuration=s3express.CfnDirectoryBucket.LifecycleConfigurationProperty(rules=_rules(plan)),
        )
        bucket.apply_removal_policy(removal_policy)
        self.bucket_name, self.bucket_arn = bucket.ref, bucket.attr_arn
        statements = [_tls_alone(bucket.attr_arn), _lifecycle_sessions(bucket.attr_arn, cdk.Stack.of(self).account)]
        document = {"Version": "2012-10-17", "Statement": statements}
        s3express.CfnBucketPolicy(self, "Policy", bucket=bucket.ref, policy_document=document)


def _encrypted_with(key_arn: str) -> s3express.CfnDirectoryBucket.BucketEncryptionProperty:
    by_default = s3express.CfnDirectoryBucket.ServerSideEncryptionByDefaultProperty(
        sse_algorithm="aws:kms", kms_master_key_id=key_arn
    )
    rule = s3express.CfnDirectoryBucket.ServerSideEncryptionRuleProperty(
        bucket_key_enabled=True, server_side_encryption_by_default=by_default
    )
    return s3express.CfnDirectoryBucket.BucketEncryptionProperty(server_side_encryption_configuration=[rule])


def _rules(plan: ExpressPlan) -> list[s3express.CfnDirectoryBucket.RuleProperty]:
    uploads = s3express.CfnDirectoryBucket.AbortIncompleteMultipartUploadProperty(
        days_after_initiation=plan.abort_incomplete_upload_days
    )
    rules = [
        s3express.CfnDirectoryBucket.RuleProperty(
            id="abort-uploads", status="Enabled", abort_incomplete_multipart_upload=uploads
        )
    ]
    if plan.expiration_days is not None:
        rules.append(
            s3express.CfnDirectoryBucket.RuleProperty(
                id="expire-objects", status="Enabled", expiration_in_days=plan.expiration_days
            )
        )
    return rules


def _tls_alone(bucket_arn: str) -> dict[str, object]:
    """The bucket is the resource of every call, those on objects too: they are made in a session of the bucket."""
    return {
        "Effect": "Deny",
        "Principal": {"AWS": "*"},
        "Action": "s3express:*",
        "Resource": bucket_arn,
        "Condition": {"Bool": {"aws:SecureTransport": "false"}},
    }


def _lifecycle_sessions(bucket_arn: str, account: str) -> dict[str, object]:
    """Without it no lifecycle rule deletes anything.

    Source: https://docs.aws.amazon.com/AmazonS3/latest/userguide/directory-buckets-objects-lifecycle.html
    """
    return {
        "Effect": "Allow",
        "Principal": {"Service": "lifecycle.s3.amazonaws.com"},
        "Action": "s3express:CreateSession",
        "Resource": bucket_arn,
        "Condition": {"StringEquals": {"s3express:SessionMode": "ReadWrite", "aws:SourceAccount": account}},
    }
