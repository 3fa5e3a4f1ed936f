"""Tags of file systems and data repository associations."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from local_aws.api_errors import api_error
from local_aws.service import Call, operation
from local_aws.services.fsx.tables import Row, associations, file_systems
from local_aws.services.paging import listing


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
