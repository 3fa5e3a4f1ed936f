"""Scaling activities: each launch that a group made, and each that EC2 refused; moto has none."""

from __future__ import annotations

import uuid
from typing import Any

from moto.autoscaling.responses import AutoScalingResponse
from moto.core.responses import ActionResult

from local_aws.clock import CLOCK
from local_aws.services.overrides import override

KEPT = 100
"""As many as one answer has. AWS keeps those of six weeks."""
FAILED_END = "Launching EC2 instance failed."
"""Source: https://docs.aws.amazon.com/autoscaling/ec2/userguide/ts-as-instancelaunchfailure.html."""


def record_launch(group: Any, instance_id: str) -> None:
    _record(group, f"Launching a new EC2 instance: {instance_id}", "Successful", None)


def record_failure(group: Any, message: str) -> None:
    _record(group, "Launching a new EC2 instance.", "Failed", f"{message} {FAILED_END}")


def activities(group: Any) -> list[dict[str, Any]]:
    """Returns the activities of one group, the newest first."""
    found: list[dict[str, Any]] = vars(group).setdefault("activities", [])
    return found


def _record(group: Any, description: str, status: str, message: str | None) -> None:
    now = CLOCK.now()
    row = {
        "ActivityId": str(uuid.uuid4()),
        "AutoScalingGroupName": group.name,
        "Description": description,
        "Cause": f"At {now:%Y-%m-%dT%H:%M:%SZ} an instance was started in response to a difference between desired and "
        "actual capacity.",
        "StartTime": now,
        "EndTime": now,
        "StatusCode": status,
        "StatusMessage": message,
        "Progress": 100,
        "Details": "{}",
    }
    rows = activities(group)
    rows.insert(0, {name: value for name, value in row.items() if value is not None})
    del rows[KEPT:]


@override(AutoScalingResponse, "describe_scaling_activities")
def describe_scaling_activities(_original: Any, response: Any) -> Any:
    groups, params = response.autoscaling_backend.autoscaling_groups, response.params
    name, ids = params.get("AutoScalingGroupName"), params.get("ActivityIds", [])
    wanted = [groups[name]] if name in groups else [] if name else list(groups.values())
    rows = [row for group in wanted for row in activities(group)]
    return ActionResult({"Activities": [row for row in rows if not ids or row["ActivityId"] in ids]})
