"""Object Lock keeps the versioning of its bucket enabled.

Source: inferred: the error code; badmintoncryer/cdk-preflight, pf-s3-objectlock-versioning-suspended, has S3's words
"""

from __future__ import annotations

from local_aws.guards import guard
from local_aws.service import Call, ServiceError
from local_aws.services.s3.buckets import find_bucket

CONFLICT = 409


@guard("s3", "PutBucketVersioning")
def require_versioning(call: Call) -> None:
    status = call.parameters["VersioningConfiguration"].get("Status")
    if status == "Suspended" and find_bucket(call).object_lock_enabled:
        words = "An Object Lock configuration is present on this bucket, so the versioning state cannot be changed."
        raise ServiceError("InvalidBucketState", words, status=CONFLICT)
