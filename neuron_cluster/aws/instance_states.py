"""Instances with their states, found by Name tag or by id."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from msgspec import Struct

from neuron_cluster.aws.errors import translated
from neuron_cluster.aws.session import Target, client

PAGE = 1000
"""https://docs.aws.amazon.com/AWSEC2/latest/APIReference/API_DescribeInstances.html"""
VALUES_OF_ONE_CALL = 200
"""https://docs.aws.amazon.com/AWSEC2/latest/APIReference/Query-Requests.html: values of a filter."""


class InstanceState(Struct, frozen=True):
    id: str
    name: str
    """Its Name tag; empty without one."""
    state: str
    reason: str
    """Why its state changed last; empty where EC2 does not say it."""
    launched: datetime
    image: str = ""
    """Id of its AMI."""


def states_by_name(target: Target, names: Sequence[str]) -> list[InstanceState]:
    """All with one of these Name tags that EC2 lists, also those that have ended up to an hour ago."""
    return _states(target, "tag:Name", names)


def states_by_id(target: Target, ids: Sequence[str]) -> list[InstanceState]:
    """The instances among these ids that EC2 lists."""
    return _states(target, "instance-id", ids)


def _states(target: Target, name: str, values: Sequence[str]) -> list[InstanceState]:
    rows: list[dict[str, Any]] = []
    with translated():
        pages = client(target, "ec2").get_paginator("describe_instances")
        for start in range(0, len(values), VALUES_OF_ONE_CALL):
            filters = [{"Name": name, "Values": list(values[start : start + VALUES_OF_ONE_CALL])}]
            for page in pages.paginate(Filters=filters, PaginationConfig={"PageSize": PAGE}):
                rows += [row for reservation in page["Reservations"] for row in reservation["Instances"]]
    return [
        InstanceState(
            id=row["InstanceId"],
            name=next((tag["Value"] for tag in row.get("Tags", ()) if tag["Key"] == "Name"), ""),
            state=row["State"]["Name"],
            reason=row.get("StateReason", {}).get("Message", ""),
            launched=row["LaunchTime"],
            image=row.get("ImageId", ""),
        )
        for row in rows
    ]
