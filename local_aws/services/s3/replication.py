"""Replication of buckets: judged, and kept word for word. No object is copied."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from local_aws.api_errors import api_error
from local_aws.contract import Call
from local_aws.registry import operation
from local_aws.services.s3.buckets import find_bucket

SERVICE = "s3"


@operation(SERVICE, "PutBucketReplication")
def put_replication(call: Call) -> Mapping[str, Any]:
    """moto keeps of a rule only a few members. Kept on moto's bucket, so that they go with it."""
    bucket = find_bucket(call)
    if not bucket.is_versioned:
        raise api_error("s3.replication_source")
    configuration = call.parameters["ReplicationConfiguration"]
    for rule in configuration["Rules"]:
        _require_target(call, rule["Destination"])
    bucket.replication_rules = configuration
    return {}


@operation(SERVICE, "GetBucketReplication")
def get_replication(call: Call) -> Mapping[str, Any]:
    configuration = getattr(find_bucket(call), "replication_rules", None)
    if configuration is None:
        raise api_error("s3.no_replication")
    return {"ReplicationConfiguration": configuration}


@operation(SERVICE, "DeleteBucketReplication")
def delete_replication(call: Call) -> Mapping[str, Any]:
    find_bucket(call).replication_rules = None
    return {}


def _require_target(call: Call, destination: Mapping[str, Any]) -> None:
    """Checks a target of this account; S3 checks that of another account only when it replicates."""
    if destination.get("Account", call.account) != call.account:
        return
    target = call.moto_backend(SERVICE).buckets.get(destination["Bucket"].rpartition(":")[2])
    if target is None:
        raise api_error("s3.replication_target")
    if not target.is_versioned:
        raise api_error("s3.replication_target_versions")
