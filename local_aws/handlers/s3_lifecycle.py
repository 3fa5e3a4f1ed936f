"""Lifecycle rules of a bucket: CloudFormation's flat rules and the API's nested ones."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from local_aws.handlers.service_resource import present

SAME = ("Status", "AbortIncompleteMultipartUpload")
EXPIRATION = {
    "ExpirationDate": "Date",
    "ExpirationInDays": "Days",
    "ExpiredObjectDeleteMarker": "ExpiredObjectDeleteMarker",
}
TRANSITION = {"TransitionDate": "Date", "TransitionInDays": "Days", "StorageClass": "StorageClass"}
NONCURRENT_TRANSITION = {
    "TransitionInDays": "NoncurrentDays",
    "StorageClass": "StorageClass",
    "NewerNoncurrentVersions": "NewerNoncurrentVersions",
}
FILTER = ("Prefix", "ObjectSizeGreaterThan", "ObjectSizeLessThan")
KNOWN = {
    *SAME,
    *EXPIRATION,
    *FILTER,
    "Id",
    "TagFilters",
    "Transitions",
    "NoncurrentVersionTransitions",
    "NoncurrentVersionExpiration",
}


def api_rule(rule: Mapping[str, Any]) -> dict[str, Any]:
    """The API's form of one rule; members that are not known here are passed on, so that botocore refuses them."""
    answer = {name: value for name, value in rule.items() if name in SAME or name not in KNOWN}
    if "Id" in rule:
        answer["ID"] = rule["Id"]
    answer["Filter"] = _api_filter(rule)
    if expiration := _renamed(rule, EXPIRATION):
        answer["Expiration"] = expiration
    if "Transitions" in rule:
        answer["Transitions"] = [_renamed(each, TRANSITION, keep=True) for each in rule["Transitions"]]
    if "NoncurrentVersionTransitions" in rule:
        answer["NoncurrentVersionTransitions"] = [
            _renamed(each, NONCURRENT_TRANSITION, keep=True) for each in rule["NoncurrentVersionTransitions"]
        ]
    if "NoncurrentVersionExpiration" in rule:
        answer["NoncurrentVersionExpiration"] = rule["NoncurrentVersionExpiration"]
    return answer


def cloudformation_rule(rule: Mapping[str, Any]) -> dict[str, Any]:
    """CloudFormation's form of one rule of GetBucketLifecycleConfiguration."""
    answer = present(rule, *SAME, "NoncurrentVersionExpiration")
    if "ID" in rule:
        answer["Id"] = rule["ID"]
    answer.update(_properties_of_filter(rule.get("Filter", {})))
    answer.update(_renamed(rule.get("Expiration", {}), _inverse(EXPIRATION)))
    for name, table in (("Transitions", TRANSITION), ("NoncurrentVersionTransitions", NONCURRENT_TRANSITION)):
        if rule.get(name):
            answer[name] = [_renamed(each, _inverse(table)) for each in rule[name]]
    return answer


def _api_filter(rule: Mapping[str, Any]) -> dict[str, Any]:
    """One condition stands alone, several under ``And``; without any the rule holds for the whole bucket."""
    conditions = present(rule, *FILTER)
    tags = rule.get("TagFilters") or []
    if len(conditions) + len(tags) > 1:
        return {"And": {**conditions, **({"Tags": tags} if tags else {})}}
    if tags:
        return {"Tag": tags[0]}
    return conditions or {"Prefix": ""}


def _properties_of_filter(condition: Mapping[str, Any]) -> dict[str, Any]:
    flat = dict(condition.get("And", condition))
    tags = flat.pop("Tags", [flat.pop("Tag")] if "Tag" in flat else [])
    properties = {name: value for name, value in flat.items() if value != ""}
    return {**properties, "TagFilters": tags} if tags else properties


def _renamed(source: Mapping[str, Any], names: Mapping[str, str], *, keep: bool = False) -> dict[str, Any]:
    return {names.get(name, name): value for name, value in source.items() if keep or name in names}


def _inverse(names: Mapping[str, str]) -> dict[str, str]:
    return {value: name for name, value in names.items()}
