"""Tags of everything in EKS that has an ARN."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from local_aws.api_errors import api_error
from local_aws.service import Call, operation
from local_aws.services.eks.tables import CHILDREN, Row, clusters, of_cluster

ARN_MEMBERS = ("arn", "nodegroupArn", "addonArn", "accessEntryArn", "associationArn")
MOST_TAGS = 50


@operation("eks", "TagResource")
def tag_resource(call: Call) -> Mapping[str, Any]:
    row = _tagged_row(call)
    tags = {**row["tags"], **call.parameters["tags"]}
    if len(tags) > MOST_TAGS:
        raise api_error("eks.too_many_tags", maximum=MOST_TAGS)
    row["tags"] = tags
    return {}


@operation("eks", "UntagResource")
def untag_resource(call: Call) -> Mapping[str, Any]:
    row = _tagged_row(call)
    row["tags"] = {key: value for key, value in row["tags"].items() if key not in call.parameters["tagKeys"]}
    return {}


@operation("eks", "ListTagsForResource")
def list_tags_for_resource(call: Call) -> Mapping[str, Any]:
    return {"tags": _tagged_row(call)["tags"]}


def _tagged_row(call: Call) -> Row:
    arn = call.parameters["resourceArn"]
    for row in _rows(call):
        if arn in (row.get(member) for member in ARN_MEMBERS):
            return row
    raise api_error("eks.no_tagged_resource", arn=arn)


def _rows(call: Call) -> Iterator[Row]:
    for cluster in list(clusters(call).values()):
        yield cluster
        for kind in CHILDREN:
            yield from list(of_cluster(call, kind, cluster["name"]).values())
