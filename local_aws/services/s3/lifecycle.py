"""Lifecycle rules of buckets: judged, and kept word for word. None ever runs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from local_aws.api_errors import api_error
from local_aws.service import Call, operation
from local_aws.services.s3.buckets import find_bucket
from local_aws.services.s3.lifecycle_order import require_order


@operation("s3", "PutBucketLifecycleConfiguration")
def put_lifecycle(call: Call) -> Mapping[str, Any]:
    """moto loses sizes and NewerNoncurrentVersions. Kept on moto's bucket, so that they go with it."""
    bucket = find_bucket(call)
    rules = call.parameters.get("LifecycleConfiguration", {}).get("Rules", [])
    for rule in rules:
        require_order(rule)
    bucket.lifecycle_rules = rules
    return {}


@operation("s3", "GetBucketLifecycleConfiguration")
def get_lifecycle(call: Call) -> Mapping[str, Any]:
    rules = getattr(find_bucket(call), "lifecycle_rules", None)
    if not rules:
        raise api_error("s3.no_lifecycle")
    return {"Rules": rules}


@operation("s3", "DeleteBucketLifecycle")
def delete_lifecycle(call: Call) -> Mapping[str, Any]:
    find_bucket(call).lifecycle_rules = []
    return {}
