"""The rows of EKS: clusters by name, what belongs to one cluster in tables of that cluster, and the tags of all.

Requests come in threads of their own: whoever goes through a table goes through a copy of it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import Any

from local_aws.api_errors import api_error
from local_aws.clock import CLOCK
from local_aws.contract import Call
from local_aws.registry import operation

Row = dict[str, Any]
CHILDREN = ("nodegroups", "addons", "access_entries", "pod_identity_associations")
"""Tables of one cluster whose rows carry tags; all but node groups go with the cluster."""
SELF_MANAGED_ADDONS = "self_managed_addons"
"""Whether EKS itself installed the networking add-ons, by cluster; no call returns it afterwards."""


def clusters(call: Call) -> dict[str, Row]:
    return call.table("clusters")


def of_cluster(call: Call, kind: str, cluster_name: str) -> dict[str, Row]:
    """Rows of one kind that belong to a cluster, by name, principal or id. Refused for an unknown cluster."""
    find_cluster(call, cluster_name)
    return call.table(f"{kind}/{cluster_name}")


def find_cluster(call: Call, name: str) -> Row:
    if name not in clusters(call):
        raise api_error("eks.no_cluster", name=name)
    return clusters(call)[name]


def find_nodegroup(call: Call, cluster_name: str, name: str) -> Row:
    rows = of_cluster(call, "nodegroups", cluster_name)
    if name not in rows:
        raise api_error("eks.no_nodegroup", name=name)
    return rows[name]


def find_addon(call: Call, cluster_name: str, name: str) -> Row:
    rows = of_cluster(call, "addons", cluster_name)
    if name not in rows:
        raise api_error("eks.no_addon", name=name, cluster=cluster_name)
    return rows[name]


def find_access_entry(call: Call, cluster_name: str, principal_arn: str) -> Row:
    rows = of_cluster(call, "access_entries", cluster_name)
    if principal_arn not in rows:
        raise api_error("eks.no_access_entry")
    return rows[principal_arn]


def find_pod_identity_association(call: Call, cluster_name: str, association_id: str) -> Row:
    rows = of_cluster(call, "pod_identity_associations", cluster_name)
    if association_id not in rows:
        raise api_error("eks.no_pod_identity_association", association_id=association_id)
    return rows[association_id]


def now() -> datetime:
    return CLOCK.now()


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
