"""Bucket policies: malformed and public ones are rejected; what cannot be judged here is kept, not enforced."""

from __future__ import annotations

import fnmatch
import json
from collections.abc import Mapping
from typing import Any

from moto.s3.models import FakeBucket

from local_aws.api_errors import api_error
from local_aws.contract import Call
from local_aws.registry import guard
from local_aws.services.iam.policy_documents import EVERYBODY, policy_fault, resources, statements
from local_aws.services.iam.policy_grammar import listed
from local_aws.services.iam.policy_principals import unknown_principals
from local_aws.services.overrides import override

ON_OBJECTS = (
    "s3:getobject",
    "s3:putobject",
    "s3:deleteobject",
    "s3:abortmultipartupload",
    "s3:restoreobject",
    "s3:listmultipartuploadparts",
)
"""How actions on objects begin, which a bucket alone does not have."""
DIRECTORY_BUCKET = "--x-s3"
"""The end of the name of a bucket of S3 Express One Zone, whose actions are those of s3express."""
WHOLE_WORLD = (EVERYBODY, {"AWS": EVERYBODY}, {"AWS": [EVERYBODY]})
"""Forms of a principal that is everybody."""


@guard("s3", "PutBucketPolicy")
def require_bucket_policy(call: Call) -> None:
    """Checks a bucket policy; moto rejects a bucket that does not exist."""
    name = call.parameters["Bucket"]
    bucket = call.moto_backend("s3").buckets.get(name)
    if bucket is None:
        return
    text = call.parameters["Policy"]
    fault = policy_fault(text)
    if fault is not None:
        raise api_error("s3.malformed_policy", fault=fault)
    if any(unknown_principals(call, json.loads(text))):
        raise api_error("s3.policy_principal")
    if not all(
        _is_of_service(name, each) for statement in statements(json.loads(text)) for each in _actions(statement)
    ):
        raise api_error("s3.policy_unknown_action")
    if not all(_is_of(name, each) for statement in statements(json.loads(text)) for each in resources(statement)):
        raise api_error("s3.policy_resource")
    if not all(_applies(statement) for statement in statements(json.loads(text))):
        raise api_error("s3.policy_action")
    block = bucket.public_access_block  # that of a new bucket blocks
    if (block is None or block.block_public_policy in (True, "true")) and _is_public(json.loads(text)):
        raise api_error("s3.public_policy_blocked", bucket=bucket.arn)


def _applies(statement: Mapping[str, Any]) -> bool:
    """Each action on objects has objects among the resources, which a name with a wildcard may mean."""
    named = resources(statement)
    has_objects = any(set(each) & {"/", "*", "?"} for each in named)
    is_about_objects = "Action" in statement and any(each.startswith(ON_OBJECTS) for each in _actions(statement))
    return "Resource" not in statement or has_objects or not is_about_objects


def _actions(statement: Mapping[str, Any]) -> list[str]:
    """Returns the names of Action or NotAction."""
    return [str(each).lower() for each in listed(statement.get("Action", statement.get("NotAction", [])))]


def _is_of_service(bucket: str, action: str) -> bool:
    service = "s3express" if bucket.endswith(DIRECTORY_BUCKET) else "s3"
    return action == EVERYBODY or action.startswith(f"{service}:")


def _is_of(bucket: str, resource: str) -> bool:
    """The resource, which may have wildcards, is the bucket or objects in it."""
    express = resource.partition(":s3express:")[2].partition(":bucket/")[2]
    path = express or resource.partition(":s3:::")[2] or resource
    return fnmatch.fnmatchcase(bucket, path) or fnmatch.fnmatchcase(f"{bucket}/", path.partition("/")[0] + "/")


def _is_public(document: dict[str, Any]) -> bool:
    """Everybody may do something, without a condition.

    S3 looks into conditions: one that holds for anybody leaves a policy public. Here any condition ends that.
    """
    return any(each["Effect"] == "Allow" for each in _unconditional(document))


def _unconditional(document: dict[str, Any]) -> list[Mapping[str, Any]]:
    """Statements about everybody, without a condition."""
    return [each for each in statements(document) if not each.get("Condition") and each.get("Principal") in WHOLE_WORLD]


@override(FakeBucket, "get_permission")
def get_permission(original: Any, bucket: Any, action: str, resource: str) -> Any:
    """moto reads neither Condition nor Principal: the usual Deny of requests without TLS would refuse every call.

    There is no TLS, no VPC endpoint and no principal here, so that a statement about them neither allows nor
    denies; one about everybody, without a condition, does.
    """
    if not bucket.policy:
        return original(action, resource)
    stored = bucket.policy
    document = json.loads(stored)
    bucket.policy = json.dumps({**document, "Statement": _unconditional(document)}).encode()
    try:
        return original(action, resource)
    finally:
        bucket.policy = stored
