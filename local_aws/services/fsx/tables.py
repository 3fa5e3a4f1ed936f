"""The rows of FSx: file systems and data repository associations, both by id, with their tags."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from local_aws.api_errors import api_error
from local_aws.contract import Call
from local_aws.registry import operation
from local_aws.services.paging import listing

Row = dict[str, Any]


def file_systems(call: Call) -> dict[str, Row]:
    return call.table("file_systems")


def associations(call: Call) -> dict[str, Row]:
    return call.table("DataRepositoryAssociation")


def associations_of(call: Call, file_system_id: str) -> list[Row]:
    return [row for row in list(associations(call).values()) if row["FileSystemId"] == file_system_id]


def find_file_system(call: Call, file_system_id: str) -> Row:
    if file_system_id not in file_systems(call):
        raise api_error("fsx.file_system_not_found", file_system_id=file_system_id)
    return file_systems(call)[file_system_id]


def now() -> datetime:
    return datetime.now(UTC)


@operation("fsx", "TagResource")
def tag_resource(call: Call) -> Mapping[str, Any]:
    row = _tagged_row(call)
    new = call.parameters["Tags"]
    keys = {tag["Key"] for tag in new}
    row["Tags"] = [*(tag for tag in row["Tags"] if tag["Key"] not in keys), *new]
    return {}


@operation("fsx", "UntagResource")
def untag_resource(call: Call) -> Mapping[str, Any]:
    row = _tagged_row(call)
    row["Tags"] = [tag for tag in row["Tags"] if tag["Key"] not in call.parameters["TagKeys"]]
    return {}


@operation("fsx", "ListTagsForResource")
def list_tags_for_resource(call: Call) -> Mapping[str, Any]:
    return listing(call, "Tags", _tagged_row(call)["Tags"])


def _tagged_row(call: Call) -> Row:
    arn = call.parameters["ResourceARN"]
    for row in (*list(file_systems(call).values()), *list(associations(call).values())):
        if row["ResourceARN"] == arn:
            return row
    raise api_error("fsx.resource_not_found", arn=arn)
