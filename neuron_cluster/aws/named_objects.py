"""Objects of one name below a prefix of a bucket, as far as a bounded number of calls reaches."""

from __future__ import annotations

from datetime import datetime

from msgspec import Struct

from neuron_cluster.aws.errors import translated
from neuron_cluster.aws.session import Target, client

MOST_PAGES = 20
"""Calls, each with up to 1,000 keys: https://docs.aws.amazon.com/AmazonS3/latest/API/API_ListObjectsV2.html."""


class NamedObjects(Struct, frozen=True):
    """The objects below a prefix."""

    count: int
    """All that were listed, of any name."""
    written: dict[str, datetime]
    """When each object of the name was written, by key."""
    is_whole: bool
    """Whether all objects below the prefix were listed."""


def named_objects(target: Target, bucket: str, prefix: str, name: str) -> NamedObjects:
    """Lists up to ``MOST_PAGES`` pages. Raises ``ToolkitError`` where the caller may not list them."""
    written: dict[str, datetime] = {}
    count, is_whole = 0, True
    with translated():
        pages = client(target, "s3").get_paginator("list_objects_v2").paginate(Bucket=bucket, Prefix=prefix)
        for number, page in enumerate(pages, 1):
            rows = page.get("Contents", ())
            count += len(rows)
            written |= {row["Key"]: row["LastModified"] for row in rows if row["Key"].rpartition("/")[2] == name}
            if number == MOST_PAGES and page["IsTruncated"]:
                is_whole = False
                break
    return NamedObjects(count, written, is_whole)
