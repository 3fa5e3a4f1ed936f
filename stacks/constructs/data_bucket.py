"""A bucket for data: encrypted, versioned, private, TLS alone."""

from __future__ import annotations

import aws_cdk as cdk
from aws_cdk import aws_kms as kms
from aws_cdk import aws_s3 as s3
from constructs import Construct

from neuron_cluster.plan.storage_plan import BucketPlan, LifecycleRulePlan, ObjectLockPlan
from stacks.constructs.acknowledgement import acknowledge, in_checkov, in_standards


def data_bucket(
    scope: Construct, construct_id: str, plan: BucketPlan, *, key: kms.IKey, removal_policy: cdk.RemovalPolicy
) -> s3.Bucket:
    """The bucket with its policy and lifecycle rules, without replication."""
    bucket = s3.Bucket(
        scope,
        construct_id,
        encryption=s3.BucketEncryption.KMS,
        encryption_key=key,
        bucket_key_enabled=True,
        versioned=True,
        block_public_access=s3.BlockPublicAccess.BLOCK_ALL,
        object_ownership=s3.ObjectOwnership.BUCKET_OWNER_ENFORCED,
        enforce_ssl=True,
        minimum_tls_version=1.2,
        lifecycle_rules=[
            s3.LifecycleRule(
                id="expire-old-versions",
                noncurrent_version_expiration=cdk.Duration.days(plan.noncurrent_version_days),
                abort_incomplete_multipart_upload_after=cdk.Duration.days(plan.abort_incomplete_upload_days),
            ),
            *map(_lifecycle_rule, plan.lifecycle_rules),
        ],
        object_lock_enabled=True if plan.object_lock is not None else None,
        object_lock_default_retention=_retention(plan.object_lock) if plan.object_lock is not None else None,
        removal_policy=removal_policy,
    )
    acknowledge(
        bucket,
        {
            "AwsSolutions-S1": "Access logs of a checkpoint bucket would be a second bucket of state in every "
            "environment; an account that must record object access does so for all buckets with CloudTrail data "
            "events."
        }
        | in_standards("S3BucketLoggingEnabled", "As for AwsSolutions-S1: an account records objects by CloudTrail.")
        | in_checkov(18, "As for AwsSolutions-S1: an account records objects by CloudTrail."),
    )
    return bucket


def accept_single_copy(bucket: s3.Bucket) -> None:
    """Acknowledges that the bucket is not replicated."""
    reason = (
        "A second bucket of checkpoints costs as much as the first; versions are kept, and who needs another "
        "Region adds a replication rule."
    )
    acknowledge(bucket, in_standards("S3BucketReplicationEnabled", reason))


def _retention(plan: ObjectLockPlan) -> s3.ObjectLockRetention:
    days = cdk.Duration.days(plan.days)
    if plan.mode == s3.ObjectLockMode.GOVERNANCE.value:
        return s3.ObjectLockRetention.governance(days)
    return s3.ObjectLockRetention.compliance(days)


def _lifecycle_rule(plan: LifecycleRulePlan) -> s3.LifecycleRule:
    return s3.LifecycleRule(
        id=plan.name,
        prefix=plan.prefix,
        expiration=cdk.Duration.days(plan.expire_days),
        noncurrent_version_expiration=cdk.Duration.days(plan.noncurrent_version_days),
    )
