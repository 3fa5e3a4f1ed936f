"""Buckets: names as S3 allows them, log delivery as S3 checks it, and each by its name."""

from __future__ import annotations

from typing import Any

from moto.s3.models import FakeBucket, S3Backend

from local_aws.api_errors import api_error
from local_aws.knowledge.current import limit
from local_aws.service import Call
from local_aws.services.overrides import override


@override(S3Backend, "create_bucket")
def create_bucket(original: Any, _backend: Any, bucket_name: str, *args: Any, **kwargs: Any) -> Any:
    if limit("s3_bucket_name").problem_with(bucket_name) is not None:
        raise api_error("s3.bucket_name")
    return original(bucket_name, *args, **kwargs)


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
