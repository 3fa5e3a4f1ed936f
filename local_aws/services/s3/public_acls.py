"""Block Public Access, which a new bucket has, rejects public canned ACLs.

Source: inferred: the words; https://docs.aws.amazon.com/AmazonS3/latest/userguide/access-control-block-public-access.html
has the constraint
"""

from __future__ import annotations

from local_aws.guards import guard
from local_aws.service import Call, ServiceError
from local_aws.services.s3.buckets import find_bucket

PUBLIC = ("public-read", "public-read-write")
FORBIDDEN = 403


@guard("s3", "PutBucketAcl")
def require_unblocked(call: Call) -> None:
    block = find_bucket(call).public_access_block
    is_blocked = block is None or block.block_public_acls in (True, "true")
    if call.parameters.get("ACL") in PUBLIC and is_blocked:
        words = "public access control lists (ACLs) are blocked by the BlockPublicAcls block public access setting"
        raise ServiceError("AccessDenied", f"Access Denied because {words}", status=FORBIDDEN)
