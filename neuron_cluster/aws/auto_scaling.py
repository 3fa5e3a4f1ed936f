"""Auto Scaling groups: their instances, and launches that failed."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from msgspec import Struct

from neuron_cluster.aws.errors import translated
from neuron_cluster.aws.session import Target, client

NAMES_OF_ONE_CALL = 100
"""https://docs.aws.amazon.com/autoscaling/ec2/APIReference/API_DescribeAutoScalingGroups.html"""
IN_SERVICE, HEALTHY = "InService", "Healthy"


class ScalingGroup(Struct, frozen=True):
    name: str
    desired: int
    instances: tuple[str, ...]
    """Ids, also of those that start or end."""
    healthy: tuple[str, ...]
    """Ids of those that are in service and healthy, by the status checks of EC2."""
    suspended: tuple[str, ...]
    """Processes that a person or a service has suspended, such as ``Launch``."""


class FailedLaunch(Struct, frozen=True):
    """The launches that have failed since the last one that succeeded."""

    message: str
    """The message of the last one."""
    since: datetime
    """When the first of them began."""


def scaling_groups(target: Target, names: Sequence[str]) -> dict[str, ScalingGroup]:
    """The groups that exist, by name."""
    found = {}
    with translated():
        service = client(target, "autoscaling")
        for start in range(0, len(names), NAMES_OF_ONE_CALL):
            batch = list(names[start : start + NAMES_OF_ONE_CALL])
            pages = service.get_paginator("describe_auto_scaling_groups").paginate(AutoScalingGroupNames=batch)
            for row in (row for page in pages for row in page["AutoScalingGroups"]):
                instances = row.get("Instances", ())
                found[row["AutoScalingGroupName"]] = ScalingGroup(
                    name=row["AutoScalingGroupName"],
                    desired=row["DesiredCapacity"],
                    instances=tuple(each["InstanceId"] for each in instances),
                    healthy=tuple(
                        each["InstanceId"]
                        for each in instances
                        if (each["LifecycleState"], each["HealthStatus"]) == (IN_SERVICE, HEALTHY)
                    ),
                    suspended=tuple(each["ProcessName"] for each in row.get("SuspendedProcesses", ())),
                )
    return found


def failed_launch(target: Target, name: str) -> FailedLaunch | None:
    """The failure that the group has not got over; None where its last activity succeeded.

    Reads the first page only, which has the newest activities first.
    """
    with translated():
        rows = client(target, "autoscaling").describe_scaling_activities(AutoScalingGroupName=name)["Activities"]
    failed = []
    for row in rows:
        if row["StatusCode"] == "Successful":
            break
        if row["StatusCode"] in ("Failed", "Cancelled"):
            failed.append(row)
    if not failed:
        return None
    message = failed[0].get("StatusMessage") or failed[0].get("Description", "")
    return FailedLaunch(message, failed[-1]["StartTime"])
