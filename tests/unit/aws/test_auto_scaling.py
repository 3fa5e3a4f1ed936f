"""Failed launches of an Auto Scaling group, from its activities, the newest first."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from botocore.stub import Stubber

from neuron_cluster.aws.auto_scaling import FailedLaunch, failed_launch, scaling_groups
from neuron_cluster.aws.session import LocalTarget, client, close_clients

LOCAL = LocalTarget("us-west-2", "111122223333", "http://127.0.0.1:9")
AT = datetime(2026, 11, 27, 12, tzinfo=UTC)
ICE = "We currently do not have sufficient trn1.32xlarge capacity in the Availability Zone you requested"


@pytest.fixture
def autoscaling() -> Iterator[Stubber]:
    with Stubber(client(LOCAL, "autoscaling")) as stub:
        yield stub
    close_clients(LOCAL)


def activity(status: str, hours: int, message: str = "") -> dict[str, Any]:
    return {
        "ActivityId": f"a{hours}",
        "AutoScalingGroupName": "group",
        "Cause": "a difference between desired and actual capacity",
        "StartTime": AT - timedelta(hours=hours),
        "StatusCode": status,
        **({"StatusMessage": message} if message else {}),
    }


def test_failures_since_the_last_success_begin_with_the_first(autoscaling: Stubber) -> None:
    rows = [
        activity("Failed", 1, ICE),
        activity("Failed", 5, "other"),
        activity("Successful", 6),
        activity("Failed", 9),
    ]
    autoscaling.add_response("describe_scaling_activities", {"Activities": rows}, {"AutoScalingGroupName": "group"})
    assert failed_launch(LOCAL, "group") == FailedLaunch(ICE, AT - timedelta(hours=5))


@pytest.mark.parametrize("rows", [[], [activity("Successful", 1), activity("Failed", 2, ICE)]])
def test_a_group_that_got_over_its_failures_has_none(rows: list[dict[str, Any]], autoscaling: Stubber) -> None:
    autoscaling.add_response("describe_scaling_activities", {"Activities": rows}, {"AutoScalingGroupName": "group"})
    assert failed_launch(LOCAL, "group") is None


def test_groups_are_read_a_hundred_at_a_time_and_only_healthy_instances_count(autoscaling: Stubber) -> None:
    names = [f"group-{number}" for number in range(101)]
    instances = [
        {
            "InstanceId": f"i-{number}",
            "AvailabilityZone": "us-west-2a",
            "LifecycleState": state,
            "HealthStatus": health,
            "ProtectedFromScaleIn": False,
        }
        for number, (state, health) in enumerate(
            [("InService", "Healthy"), ("Pending", "Healthy"), ("InService", "Unhealthy")]
        )
    ]
    row = {
        "AutoScalingGroupName": "group-100",
        "MinSize": 0,
        "MaxSize": 3,
        "DesiredCapacity": 3,
        "DefaultCooldown": 300,
        "AvailabilityZones": ["us-west-2a"],
        "HealthCheckType": "EC2",
        "CreatedTime": AT,
        "Instances": instances,
        "SuspendedProcesses": [{"ProcessName": "Launch", "SuspensionReason": "by a user"}],
    }
    operation = "describe_auto_scaling_groups"
    autoscaling.add_response(operation, {"AutoScalingGroups": []}, {"AutoScalingGroupNames": names[:100]})
    autoscaling.add_response(operation, {"AutoScalingGroups": [row]}, {"AutoScalingGroupNames": names[100:]})
    (group,) = scaling_groups(LOCAL, names).values()
    assert (group.instances, group.healthy, group.suspended) == (("i-0", "i-1", "i-2"), ("i-0",), ("Launch",))
