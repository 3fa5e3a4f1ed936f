"""Objects of a bucket with their older versions, as far as a bounded number of calls lists them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import Any

from msgspec import Struct

from neuron_cluster.aws.errors import translated
from neuron_cluster.aws.s3 import DIRECTORY_BUCKET
from neuron_cluster.aws.session import Target, client

MOST_CALLS = 200
"""Calls that one listing makes at most; each returns 1,000 versions."""


class ObjectVersion(Struct, frozen=True):
    """One version of an object. ``since`` is when its time begins: its write, or the write of the next version."""

    key: str
    size: int
    """In bytes."""
    since: datetime
    is_current: bool


class Listing(Struct, frozen=True):
    """``is_complete`` is False where more is there than the calls have listed."""

    versions: tuple[ObjectVersion, ...]
    is_complete: bool


def object_versions(target: Target, bucket: str, prefix: str, *, calls: int = MOST_CALLS) -> Listing:
    """Returns the versions below the prefix; delete markers only end the time of a version. Raises ``ToolkitError``."""
    is_directory = bucket.endswith(DIRECTORY_BUCKET)
    operation = "list_objects_v2" if is_directory else "list_object_versions"
    rows: list[Mapping[str, Any]] = []
    with translated():
        pages = iter(client(target, "s3").get_paginator(operation).paginate(Bucket=bucket, Prefix=prefix))
        for _ in range(calls):
            page = next(pages, None)
            if page is None:
                return Listing(tuple(_versions(rows)), is_complete=True)
            rows += [*page.get("Contents", ()), *page.get("Versions", ()), *page.get("DeleteMarkers", ())]
        return Listing(tuple(_versions(rows)), is_complete=next(pages, None) is None)


def _versions(rows: list[Mapping[str, Any]]) -> Iterator[ObjectVersion]:
    """The newest version of each key first; S3 lists versions and delete markers of a page apart."""
    key, successor = "", None
    for row in sorted(rows, key=lambda row: (row["Key"], not row.get("IsLatest", True), -_seconds(row))):
        if row["Key"] != key:
            key, successor = row["Key"], None
        if "Size" in row:
            yield ObjectVersion(key, row["Size"], successor or row["LastModified"], successor is None)
        successor = row["LastModified"]


def _seconds(row: Mapping[str, Any]) -> float:
    moment: datetime = row["LastModified"]
    return moment.timestamp()
