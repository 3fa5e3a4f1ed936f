"""Buckets: log delivery, Object Lock and Block Public Access as S3 checks them, and each by its name."""

from __future__ import annotations

from typing import Any

from moto.s3.models import FakeBucket, S3Backend, s3_backends

from local_aws.api_errors import api_error
from local_aws.contract import Call
from local_aws.registry import guard
from local_aws.services.overrides import override


@override(FakeBucket, "_log_permissions_enabled_policy")
def accept_log_target(_original: Any, _bucket: Any, **_target: Any) -> bool:
    """moto wants the target's policy to be there first.

    Inferred from CDK's templates, where that policy names the source bucket by its ARN and is so made after it:
    S3 checks the policy when it delivers.
    """
    return True


def find_bucket(call: Call) -> Any:
    bucket = call.moto_backend("s3").buckets.get(call.parameters["Bucket"])
    if bucket is None:
        raise api_error("s3.no_bucket")
    return bucket


@override(S3Backend, "put_object_lock_configuration")
def put_object_lock(original: Any, backend: Any, bucket_name: str, lock_enabled: bool | None, *retention: Any) -> None:
    """moto takes it for empty buckets only; S3 for each that has versions.

    Source: https://docs.aws.amazon.com/AmazonS3/latest/userguide/object-lock-configure.html
    """
    bucket = backend.get_bucket(bucket_name)
    if not bucket.is_versioned:
        original(bucket_name, lock_enabled, *retention)
        return
    bucket.object_lock_enabled = bucket.object_lock_enabled or bool(lock_enabled)
    bucket.default_lock_mode, bucket.default_lock_days, bucket.default_lock_years = retention


@guard("s3", "HeadBucket")
def require_owner(call: Call) -> None:
    expected = call.parameters.get("ExpectedBucketOwner")
    _, owner = s3_backends.bucket_accounts.get(call.parameters["Bucket"], ("", expected))
    if expected not in (None, owner):
        raise api_error("s3.other_owner")


@guard("s3", "PutBucketVersioning")
def require_versioning(call: Call) -> None:
    status = call.parameters["VersioningConfiguration"].get("Status")
    if status == "Suspended" and find_bucket(call).object_lock_enabled:
        raise api_error("s3.object_lock")


PUBLIC = ("public-read", "public-read-write")


@guard("s3", "PutBucketAcl")
def require_unblocked(call: Call) -> None:
    block = find_bucket(call).public_access_block
    is_blocked = block is None or block.block_public_acls in (True, "true")
    if call.parameters.get("ACL") in PUBLIC and is_blocked:
        raise api_error("s3.public_acl")
