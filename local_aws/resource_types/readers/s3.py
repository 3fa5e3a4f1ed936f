"""Buckets of S3 and S3 Express One Zone, whose lifecycle rules have another form in the API."""

from __future__ import annotations

import functools
from collections.abc import Iterator, Mapping
from typing import Any

from local_aws.resource_types.reader import ResourceReader, Row, Section, Source

EXPIRATION = {
    "ExpirationDate": "Date",
    "ExpirationInDays": "Days",
    "ExpiredObjectDeleteMarker": "ExpiredObjectDeleteMarker",
}
"""The member of the API's ``Expiration``, by property of a rule."""
LOCK, LOCK_ENABLED = "ObjectLockConfiguration", "ObjectLockEnabled"


class DirectoryBucketReader(ResourceReader):
    type_name = "AWS::S3Express::DirectoryBucket"

    def to_property(self, name: str, value: Any) -> Any:
        shown = super().to_property(name, value)
        if name == "LifecycleConfiguration" and shown is not None:
            return {"Rules": [_cloudformation_rule(rule) for rule in shown["Rules"]]}
        return shown


class BucketReader(DirectoryBucketReader):
    type_name = "AWS::S3::Bucket"

    def sections(self, source: Source, physical_id: str, row: Row) -> Iterator[Section]:
        """A bucket with a lock has a configuration of it."""
        for section in super().sections(source, physical_id, row):
            if section.properties == (LOCK,):
                yield Section((LOCK, LOCK_ENABLED), functools.partial(_with_enabled, section))
            else:
                yield section


def _with_enabled(section: Section) -> dict[str, Any]:
    lock = section.read()
    return {**lock, LOCK_ENABLED: lock.get(LOCK) is not None}


def _cloudformation_rule(rule: Mapping[str, Any]) -> dict[str, Any]:
    """CloudFormation's form of one rule of GetBucketLifecycleConfiguration, of whose members it has the names."""
    expiration = rule.get("Expiration", {})
    flat = {name: expiration[member] for name, member in EXPIRATION.items() if member in expiration}
    others = {name: value for name, value in rule.items() if name not in ("Filter", "Expiration")}
    return {**others, **_properties_of_filter(rule.get("Filter", {})), **flat}


def _properties_of_filter(condition: Mapping[str, Any]) -> dict[str, Any]:
    flat = dict(condition.get("And", condition))
    tags = flat.pop("Tags", [flat.pop("Tag")] if "Tag" in flat else [])
    properties = {name: value for name, value in flat.items() if value != ""}
    return {**properties, "TagFilters": tags} if tags else properties
