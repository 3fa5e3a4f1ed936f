"""Lifecycle rules of buckets: judged, and kept word for word."""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from datetime import UTC, datetime, time
from typing import Any

from local_aws.api_errors import api_error
from local_aws.contract import Call
from local_aws.knowledge.current import limit
from local_aws.registry import operation
from local_aws.services.s3.buckets import find_bucket

CLASSES = ("STANDARD_IA", "INTELLIGENT_TIERING", "ONEZONE_IA", "GLACIER_IR", "GLACIER", "DEEP_ARCHIVE")
"""Objects go down this list only."""
STAY = {
    "STANDARD_IA": "s3_infrequent_access_days",
    "ONEZONE_IA": "s3_infrequent_access_days",
    "GLACIER_IR": "s3_glacier_days",
    "GLACIER": "s3_glacier_days",
}
"""How long an object stays in a class at least, as a limit of the catalog."""


def require_order(rule: Mapping[str, Any]) -> None:
    """Raises ServiceError for dates that are no midnight and for classes in the wrong order."""
    for each in (rule.get("Expiration") or {}, *rule.get("Transitions", [])):
        date = each.get("Date")
        if isinstance(date, datetime) and date.astimezone(UTC).time() != time():
            raise api_error("s3.midnight")
    dated = [each for each in rule.get("Transitions", []) if "Days" in each and each.get("StorageClass") in CLASSES]
    ranked = sorted(dated, key=lambda each: CLASSES.index(each["StorageClass"]))
    for former, latter in itertools.pairwise(ranked):
        name, before = latter["StorageClass"], former["StorageClass"]
        if name == before:
            raise api_error("s3.storage_class_twice")
        stay = limit(STAY[before]).require_minimum() if before in STAY else 1
        if latter["Days"] < former["Days"] + stay:
            raise api_error("s3.transition_order", name=name, stay=stay, before=before)


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
