"""Block Public Access, which a new bucket has, rejects public canned ACLs."""

from __future__ import annotations

from local_aws.api_errors import api_error
from local_aws.guards import guard
from local_aws.service import Call
from local_aws.services.s3.buckets import find_bucket

PUBLIC = ("public-read", "public-read-write")


@guard("s3", "PutBucketAcl")
def require_unblocked(call: Call) -> None:
    block = find_bucket(call).public_access_block
    is_blocked = block is None or block.block_public_acls in (True, "true")
    if call.parameters.get("ACL") in PUBLIC and is_blocked:
        raise api_error("s3.public_acl")
