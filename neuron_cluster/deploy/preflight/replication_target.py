"""Whether the target of replication exists, in its Region, with versioning and Object Lock.

Source: https://docs.aws.amazon.com/AmazonS3/latest/userguide/replication-requirements.html;
https://docs.aws.amazon.com/AmazonS3/latest/userguide/object-lock-managing.html: the target of a bucket with Object Lock
has Object Lock too.
"""

from __future__ import annotations

import json
from collections.abc import Iterator

from neuron_cluster.aws.s3 import bucket, bucket_region, has_object_lock
from neuron_cluster.deploy.preflight.context import PreflightContext
from neuron_cluster.findings.finding import Finding
from neuron_cluster.plan.replication_plan import ReplicationPlan

WHAT = "the target bucket of replication"
PERMISSIONS = ("s3:GetBucketLocation", "s3:GetBucketObjectLockConfiguration", "s3:GetBucketVersioning", "s3:ListBucket")

WITHOUT_CONSTRAINT = "us-east-1"
"""The Region that S3 does not take as a location constraint."""


def subjects(context: PreflightContext) -> list[str]:
    """Returns the bucket, unless it belongs to another account, whose bucket is not read."""
    storage = context.plan.storage
    source = storage.bucket if storage is not None else None
    replication = source.replication if source is not None else None
    return [replication.bucket] if replication is not None and not replication.is_other_account else []


def check(context: PreflightContext) -> Iterator[Finding]:
    """E9557 for a bucket of the account of the environment; the bucket of another account is not read."""
    storage = context.plan.storage
    source = storage.bucket if storage is not None else None
    replication = source.replication if source is not None else None
    if source is None or replication is None or replication.is_other_account:
        return
    target, name = context.destination.target, replication.bucket
    found = bucket(target, name)
    if found is None:
        message = f"the bucket {name}, to which S3 would copy checkpoints, does not exist"
        create = _create(replication, locked=source.object_lock is not None)
        hint = f"create it: `{create}`, then `{_enable_versioning(replication)}`"
        yield Finding("E9557", context.locate((*replication.path, "bucket")), message, hint)
        return
    region = bucket_region(target, name)
    if region != replication.region:
        message = f"the bucket {name} is in {region}; the file has {replication.region}"
        hint = f"set region: {region} with a key_arn of {region}, or use a bucket in {replication.region}"
        yield Finding("E9557", context.locate((*replication.path, "region")), message, hint)
    elif not found.is_versioned:
        message = f"the bucket {name} has no versioning, which S3 requires of the target of a replication"
        hint = f"`{_enable_versioning(replication)}`"
        yield Finding("E9557", context.locate((*replication.path, "bucket")), message, hint)
    elif source.object_lock is not None and not has_object_lock(target, name):
        message = f"the bucket {name} has no Object Lock, which the target of a bucket with object_lock needs"
        hint = f"`{_enable_object_lock(replication)}`; S3 never disables it again"
        yield Finding("E9557", context.locate((*replication.path, "bucket")), message, hint)


def _create(replication: ReplicationPlan, *, locked: bool) -> str:
    command = f"aws s3api create-bucket --bucket {replication.bucket} --region {replication.region}"
    command += " --object-lock-enabled-for-bucket" * locked
    if replication.region == WITHOUT_CONSTRAINT:
        return command
    constraint = json.dumps({"LocationConstraint": replication.region})
    return f"{command} --create-bucket-configuration '{constraint}'"


def _enable_versioning(replication: ReplicationPlan) -> str:
    return (
        f"aws s3api put-bucket-versioning --bucket {replication.bucket} --region {replication.region} "
        """--versioning-configuration '{"Status": "Enabled"}'"""
    )


def _enable_object_lock(replication: ReplicationPlan) -> str:
    return (
        f"aws s3api put-object-lock-configuration --bucket {replication.bucket} --region {replication.region} "
        """--object-lock-configuration '{"ObjectLockEnabled": "Enabled"}'"""
    )
