"""Object Lock keeps the versioning of its bucket enabled."""

from __future__ import annotations

from local_aws.api_errors import api_error
from local_aws.guards import guard
from local_aws.service import Call
from local_aws.services.s3.buckets import find_bucket


@guard("s3", "PutBucketVersioning")
def require_versioning(call: Call) -> None:
    status = call.parameters["VersioningConfiguration"].get("Status")
    if status == "Suspended" and find_bucket(call).object_lock_enabled:
        raise api_error("s3.object_lock")
