"""Events of HyperPod clusters: what happened to a cluster, its groups and its nodes.

Source: https://docs.aws.amazon.com/sagemaker/latest/APIReference/API_ListClusterEvents.html; inferred: which events
there are, and their descriptions.
"""

from __future__ import annotations

import uuid
from collections.abc import Mapping
from typing import Any, Literal

from local_aws.api_errors import api_error
from local_aws.clock import CLOCK
from local_aws.contract import Call
from local_aws.registry import operation
from local_aws.services.paging import listing
from local_aws.services.sagemaker.cluster_rows import EVENTS, NAME, Row, find_cluster, is_continuous

KEPT = 1000
"""Events that a cluster has at most: the newest."""
PAGE = 100
"""Events of a page at most, and of one whose size the request does not say; inferred: the latter."""
METADATA = "metadata"
FILTERS = {NAME: NAME, "NodeId": "InstanceId", "ResourceType": "ResourceType"}
"""The member of an event by parameter that filters it."""


def record(
    cluster: Row,
    description: str,
    *,
    level: Literal["Info", "Warn", "Error"] = "Info",
    group: str | None = None,
    node: str | None = None,
    failure: str | None = None,
    scaling: Mapping[str, Any] | None = None,
) -> None:
    """Adds an event of the cluster, of a group, or of a node of a group; the oldest ones go."""
    kind = "Cluster" if group is None else "InstanceGroup" if node is None else "Instance"
    details = {"FailureMessage": failure} if failure else {}
    metadata = {"InstanceGroupScaling": {**scaling, **details}} if scaling is not None else {kind: details}
    event = {
        "EventId": str(uuid.uuid4()),
        "ResourceType": kind,
        "EventTime": CLOCK.now(),
        "Description": description,
        "EventLevel": level,
        **({NAME: group} if group else {}),
        **({"InstanceId": node} if node else {}),
        METADATA: metadata,
    }
    events = cluster[EVENTS]
    events.append(event)
    del events[:-KEPT]


@operation("sagemaker", "ListClusterEvents")
def list_cluster_events(call: Call) -> Mapping[str, Any]:
    """The newest first, unless the request asks for the other order."""
    given, cluster = call.parameters, _cluster(call)
    if "OperationId" in given:
        return {"Events": []}  # no event here is of an operation that ListClusterOperations has
    first, last = given.get("EventTimeAfter"), given.get("EventTimeBefore")
    found = [
        _summary(cluster, event)
        for event in cluster[EVENTS]
        if all(event.get(member) == given[name] for name, member in FILTERS.items() if name in given)
        and (first is None or event["EventTime"] > first)
        and (last is None or event["EventTime"] < last)
    ]
    ordered = found if given.get("SortOrder") == "Ascending" else found[::-1]
    return listing(call, "Events", ordered, PAGE)


@operation("sagemaker", "DescribeClusterEvent")
def describe_cluster_event(call: Call) -> Mapping[str, Any]:
    cluster, wanted = _cluster(call), call.parameters["EventId"]
    for event in cluster[EVENTS]:
        if event["EventId"] == wanted:
            details = {"EventDetails": {"EventMetadata": event[METADATA]}} if any(event[METADATA].values()) else {}
            return {"EventDetails": {**_summary(cluster, event), **details}}
    raise api_error("sagemaker.no_event", event=wanted, cluster=cluster["ClusterName"])


def _cluster(call: Call) -> Row:
    cluster = find_cluster(call, call.parameters["ClusterName"])
    if not is_continuous(cluster):
        raise api_error("sagemaker.not_continuous", operation=call.operation, cluster=cluster["ClusterName"])
    return cluster


def _summary(cluster: Row, event: Row) -> Row:
    shown = {name: value for name, value in event.items() if name != METADATA}
    return {"ClusterArn": cluster["ClusterArn"], "ClusterName": cluster["ClusterName"], **shown}
