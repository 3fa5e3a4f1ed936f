"""Tags of file systems and data repository associations."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from local_aws.service import Call, ServiceError, operation
from local_aws.services.fsx.refusals import bad_request
from local_aws.services.fsx.tables import Row, associations, file_systems
from local_aws.services.paging import page


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
    given = call.parameters
    refusal = bad_request("Invalid NextToken")
    tags, token = page(_tagged_row(call)["Tags"], given.get("MaxResults"), given.get("NextToken"), refusal)
    return {"Tags": tags, "NextToken": token} if token else {"Tags": tags}


def _tagged_row(call: Call) -> Row:
    arn = call.parameters["ResourceARN"]
    for row in (*list(file_systems(call).values()), *list(associations(call).values())):
        if row["ResourceARN"] == arn:
            return row
    raise ServiceError("ResourceNotFound", f"The resource {arn} does not exist.")
