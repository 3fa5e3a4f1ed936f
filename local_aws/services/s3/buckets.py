"""Buckets: log delivery as S3 checks it, and each by its name."""

from __future__ import annotations

from typing import Any

from moto.s3.models import FakeBucket

from local_aws.api_errors import api_error
from local_aws.service import Call
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
