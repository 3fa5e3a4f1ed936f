"""A bucket that exists: its owner, Region, versions, encryption, lifecycle rules, Object Lock and policy."""

from __future__ import annotations

from typing import Any

from msgspec import Struct

from neuron_cluster.aws.errors import AwsApiError, translated
from neuron_cluster.aws.session import Target, client

ABSENT = frozenset({
    "404", "NoSuchBucket", "NoSuchBucketPolicy", "NoSuchLifecycleConfiguration", "NoSuchTagSet",
    "NoSuchPublicAccessBlockConfiguration", "ObjectLockConfigurationNotFoundError", "OwnershipControlsNotFoundError",
    "ReplicationConfigurationNotFoundError", "ServerSideEncryptionConfigurationNotFoundError",
})  # fmt: skip
NOT_ALLOWED = frozenset({"403", "AccessDenied"})
FIRST_REGION = "us-east-1"
"""GetBucketLocation returns nothing for it."""


class ExistingBucket(Struct, frozen=True):
    """``key`` is the id or ARN of the KMS key as the bucket has it; None with SSE-S3."""

    region: str
    is_versioned: bool
    key: str | None
    lifecycle: tuple[tuple[str, int], ...]
    """Prefix and days of each enabled rule that expires current versions."""
    locked_for: str
    """Default retention of Object Lock, as S3 spells it: ``30 Days``; empty without one."""
    policy: str
    """JSON; empty without a policy."""


def existing_bucket(target: Target, name: str, owner: str) -> ExistingBucket | None:
    """None when no such bucket of this account exists, or the caller may not see it. Raises ``ToolkitError``."""
    if bucket_answer(target, "head_bucket", name, owner) is None:
        return None
    location = bucket_answer(target, "get_bucket_location", name, owner) or {}
    versioning = bucket_answer(target, "get_bucket_versioning", name, owner) or {}
    encryption = bucket_answer(target, "get_bucket_encryption", name, owner) or {}
    lifecycle = bucket_answer(target, "get_bucket_lifecycle_configuration", name, owner) or {}
    lock = bucket_answer(target, "get_object_lock_configuration", name, owner) or {}
    retention = lock.get("ObjectLockConfiguration", {}).get("Rule", {}).get("DefaultRetention", {})
    return ExistingBucket(
        region=location.get("LocationConstraint") or FIRST_REGION,
        is_versioned=versioning.get("Status") == "Enabled",
        key=_key(encryption),
        lifecycle=tuple(_expiry(rule) for rule in lifecycle.get("Rules", ()) if _expires(rule)),
        locked_for=next((f"{retention[unit]} {unit}" for unit in ("Days", "Years") if unit in retention), ""),
        policy=(bucket_answer(target, "get_bucket_policy", name, owner) or {}).get("Policy", ""),
    )


def bucket_answer(target: Target, operation: str, name: str, owner: str) -> dict[str, Any] | None:
    """None for what is not there; of a HEAD request also for a bucket of another account."""
    try:
        with translated():
            answer: dict[str, Any] = getattr(client(target, "s3"), operation)(Bucket=name, ExpectedBucketOwner=owner)
    except AwsApiError as error:
        if error.code in ABSENT or (operation == "head_bucket" and error.code in NOT_ALLOWED):
            return None
        raise
    return answer


def _key(encryption: dict[str, Any]) -> str | None:
    rules = encryption.get("ServerSideEncryptionConfiguration", {}).get("Rules", ())
    defaults = [rule.get("ApplyServerSideEncryptionByDefault", {}) for rule in rules]
    return next((each["KMSMasterKeyID"] for each in defaults if each.get("KMSMasterKeyID")), None)


def _expires(rule: dict[str, Any]) -> bool:
    return rule.get("Status") == "Enabled" and "Days" in rule.get("Expiration", {})


def _expiry(rule: dict[str, Any]) -> tuple[str, int]:
    scope = rule.get("Filter", {})
    prefix = rule.get("Prefix") or scope.get("Prefix") or scope.get("And", {}).get("Prefix") or ""
    return prefix, rule["Expiration"]["Days"]
