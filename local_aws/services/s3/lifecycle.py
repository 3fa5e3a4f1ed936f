"""Lifecycle rules of buckets: judged, and kept word for word. None ever runs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from local_aws.knowledge.current import limit
from local_aws.service import Call, ServiceError, operation
from local_aws.services.s3.buckets import NOT_FOUND, find_bucket
from local_aws.services.s3.lifecycle_order import require_order

INFREQUENT_ACCESS = ("STANDARD_IA", "ONEZONE_IA")
ACTIONS = (
    "AbortIncompleteMultipartUpload",
    "Expiration",
    "NoncurrentVersionExpiration",
    "NoncurrentVersionTransitions",
    "Transitions",
)


@operation("s3", "PutBucketLifecycleConfiguration")
def put_lifecycle(call: Call) -> Mapping[str, Any]:
    """moto loses sizes and NewerNoncurrentVersions. Kept on moto's bucket, so that they go with it."""
    bucket = find_bucket(call)
    rules = call.parameters.get("LifecycleConfiguration", {}).get("Rules", [])
    ids = [rule["ID"] for rule in rules if rule.get("ID")]
    if not rules or len(set(ids)) != len(ids):
        raise ServiceError("InvalidArgument", "Rule ID must be unique and there must be a rule.")
    for rule in rules:
        _require_actions(rule)
        _require_days(rule)
        require_order(rule)
    bucket.lifecycle_rules = rules
    return {}


@operation("s3", "GetBucketLifecycleConfiguration")
def get_lifecycle(call: Call) -> Mapping[str, Any]:
    rules = getattr(find_bucket(call), "lifecycle_rules", None)
    if not rules:
        message = "The lifecycle configuration does not exist"
        raise ServiceError("NoSuchLifecycleConfiguration", message, status=NOT_FOUND)
    return {"Rules": rules}


@operation("s3", "DeleteBucketLifecycle")
def delete_lifecycle(call: Call) -> Mapping[str, Any]:
    find_bucket(call).lifecycle_rules = []
    return {}


def _require_actions(rule: Mapping[str, Any]) -> None:
    """A rule says of what it is, and does something; uploads have no tags.

    Source: inferred: the codes, other than that about tags; what is refused says
    https://docs.aws.amazon.com/AmazonS3/latest/API/API_LifecycleRule.html, and of tags noobaa/noobaa-core#8870
    """
    if "Filter" not in rule and "Prefix" not in rule:
        message = "The XML you provided was not well-formed or did not validate against our published schema"
        raise ServiceError("MalformedXML", message)
    if not any(rule.get(action) for action in ACTIONS):
        raise ServiceError("InvalidRequest", "At least one action needs to be specified in a rule.")
    filter_ = rule.get("Filter") or {}
    if "AbortIncompleteMultipartUpload" in rule and (filter_.get("Tag") or (filter_.get("And") or {}).get("Tags")):
        raise ServiceError("InvalidRequest", "AbortIncompleteMultipartUpload cannot be specified with Tags.")


def _require_days(rule: Mapping[str, Any]) -> None:
    """Days come one after the other, and not too early.

    Source: https://docs.aws.amazon.com/AmazonS3/latest/API/API_LifecycleExpiration.html,
    https://docs.aws.amazon.com/AmazonS3/latest/userguide/lifecycle-transition-general-considerations.html
    """
    expires = (rule.get("Expiration") or {}).get("Days")
    if expires is not None and expires < 1:
        raise ServiceError("InvalidArgument", "'Days' for Expiration action must be a positive integer")
    minimum = limit("s3_infrequent_access_days").require_minimum()
    for transition in rule.get("Transitions", []):
        days, storage_class = transition.get("Days"), transition.get("StorageClass")
        if days is not None and days < minimum and storage_class in INFREQUENT_ACCESS:
            where = f"'Days' in Transition action must be greater than or equal to {minimum}"
            raise ServiceError("InvalidArgument", f"{where} for storageClass '{storage_class}'")
        if None not in (days, expires) and expires <= days:
            message = "'Days' in the Expiration action must be greater than 'Days' in the Transition action"
            raise ServiceError("InvalidArgument", message)
