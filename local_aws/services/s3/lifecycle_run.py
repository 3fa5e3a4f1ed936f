"""Lifecycle rules run once a day, at midnight UTC: when the clock of the local AWS is put forward beyond one.

Expiration of current and noncurrent versions alone: no transition, no filter by tag or size, no abandoned upload.
Source: https://docs.aws.amazon.com/AmazonS3/latest/userguide/intro-lifecycle-rules.html
"""

from __future__ import annotations

import itertools
import json
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime, timedelta
from typing import Any

from moto.s3.models import FakeDeleteMarker, s3_backends

from local_aws.services.iam.policy_documents import statements
from local_aws.services.iam.policy_grammar import listed
from local_aws.services.s3.bucket_policies import DIRECTORY_BUCKET

PRINCIPAL, SESSION = "lifecycle.s3.amazonaws.com", "s3express:CreateSession"
"""The principal that deletes objects of a directory bucket, in a session that the bucket policy must allow.

Source: https://docs.aws.amazon.com/AmazonS3/latest/userguide/directory-buckets-objects-lifecycle.html
"""


def run_lifecycle_rules(before: datetime, now: datetime) -> None:
    """Deletes in all buckets of all accounts what their rules no longer keep."""
    if before.astimezone(UTC).date() >= now.astimezone(UTC).date():
        return
    for account in list(s3_backends.values()):
        for backend in list(account.values()):
            for name, bucket in list(backend.buckets.items()):
                if not name.endswith(DIRECTORY_BUCKET) or _lets_lifecycle_in(bucket):
                    for rule in getattr(bucket, "lifecycle_rules", None) or ():
                        _apply(backend, bucket, rule, now)


def _lets_lifecycle_in(bucket: Any) -> bool:
    found = statements(json.loads(bucket.policy)) if bucket.policy else []
    return any(
        each["Effect"] == "Allow"
        and PRINCIPAL in listed(_services(each))
        and SESSION in listed(each.get("Action", []))
        and "ReadWrite" in listed(_string_equals(each).get("s3express:SessionMode", "ReadWrite"))
        for each in found
    )


def _services(statement: Mapping[str, Any]) -> Any:
    principal = statement.get("Principal")
    return principal.get("Service", []) if isinstance(principal, Mapping) else []


def _string_equals(statement: Mapping[str, Any]) -> Mapping[str, Any]:
    found: Mapping[str, Any] = statement.get("Condition", {}).get("StringEquals", {})
    return found


def _apply(backend: Any, bucket: Any, rule: Any, now: datetime) -> None:
    if not isinstance(rule, Mapping) or rule.get("Status") != "Enabled":
        return
    prefix = rule.get("Prefix") or rule.get("Filter", {}).get("Prefix") or ""
    days = rule.get("Expiration", {}).get("Days")
    later = rule.get("NoncurrentVersionExpiration", {}).get("NoncurrentDays")
    for key in [key for key in list(bucket.keys) if key.startswith(prefix)]:
        versions = list(bucket.keys.getlist(key))
        if later is not None and bucket.is_versioned:
            for identity in _expired_versions(versions, now - timedelta(days=later)):
                backend.delete_object(bucket.name, key, identity)
        current = versions[-1]
        is_old = days is not None and _written(current) <= now - timedelta(days=days)
        if is_old and not isinstance(current, FakeDeleteMarker):
            backend.delete_object(bucket.name, key)


def _expired_versions(versions: list[Any], until: datetime) -> Iterator[str]:
    """The ids of versions, listed oldest first, that were replaced or deleted by then; a locked one stays."""
    for version, successor in itertools.pairwise(versions):
        is_locked = not isinstance(version, FakeDeleteMarker) and version.is_locked(False)
        if _written(successor) <= until and not is_locked:
            yield version.version_id


def _written(version: Any) -> datetime:
    moment: datetime = version.last_modified
    return moment if moment.tzinfo is not None else moment.replace(tzinfo=UTC)
