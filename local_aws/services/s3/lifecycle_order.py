"""Transitions and dates of lifecycle rules that S3 rejects: classes in the wrong order, dates that are no midnight.

Source: https://docs.aws.amazon.com/AmazonS3/latest/userguide/lifecycle-transition-general-considerations.html and
intro-lifecycle-rules.html; badmintoncryer/cdk-preflight names the constraints; inferred: the words
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime, time
from typing import Any

from local_aws.knowledge.current import limit
from local_aws.service import ServiceError

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
    """Raises ServiceError for a rule whose parts exclude each other."""
    for code, words in (*_filter_faults(rule), *_date_faults(rule), *_transition_faults(rule)):
        raise ServiceError(code, words)


def _filter_faults(rule: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    filter_ = rule.get("Filter") or {}
    both = {**filter_, **(filter_.get("And") or {})}
    keys = [tag["Key"] for tag in both.get("Tags", [])]
    if len(set(keys)) < len(keys):
        yield "InvalidRequest", "Duplicate Tag Keys are not allowed."
    minimum, maximum = both.get("ObjectSizeGreaterThan"), both.get("ObjectSizeLessThan")
    if minimum is not None and maximum is not None and minimum >= maximum:
        yield "InvalidRequest", "'ObjectSizeLessThan' has to be a value greater than 'ObjectSizeGreaterThan'."
    expiration = rule.get("Expiration") or {}
    if expiration.get("ExpiredObjectDeleteMarker") and (keys or both.get("Tag")):
        yield "InvalidRequest", "ExpiredObjectDeleteMarker cannot be specified with Tags."
    if len(expiration) > 1:
        message = "The XML you provided was not well-formed or did not validate against our published schema"
        yield "MalformedXML", message


def _date_faults(rule: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    timed = [rule.get("Expiration") or {}, *rule.get("Transitions", [])]
    for each in timed:
        date = each.get("Date")
        if isinstance(date, datetime) and date.astimezone(UTC).time() != time():
            yield "InvalidArgument", "'Date' must be at midnight GMT"
    if any("Date" in each for each in timed) and any("Days" in each for each in timed):
        words = "Found mixed 'Date' and 'Days' based Expiration and Transition actions in lifecycle rule"
        yield "InvalidRequest", words


def _transition_faults(rule: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    dated = [each for each in rule.get("Transitions", []) if "Days" in each and each.get("StorageClass") in CLASSES]
    ranked = sorted(dated, key=lambda each: CLASSES.index(each["StorageClass"]))
    for former, latter in itertools.pairwise(ranked):
        name, before = latter["StorageClass"], former["StorageClass"]
        if name == before:
            yield "InvalidRequest", "'StorageClass' must be different for 'Transition' actions in same 'Rule'"
        stay = limit(STAY[before]).require_minimum() if before in STAY else 1
        if latter["Days"] < former["Days"] + stay:
            words = f"'Days' in the 'Transition' action for StorageClass '{name}' must be {stay} days more than"
            yield "InvalidArgument", f"{words} 'Days' in the 'Transition' action for StorageClass '{before}'"
