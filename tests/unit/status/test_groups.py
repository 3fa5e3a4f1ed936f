"""Node groups whose instances start, from answers in the form that the API documents: here they start at once."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from botocore.stub import Stubber
from msgspec import structs

from neuron_cluster.aws.session import client, close_clients
from neuron_cluster.catalog.catalog import load_catalog
from neuron_cluster.deploy.destination import local_destination
from neuron_cluster.pipeline import check_environment
from neuron_cluster.plan.cluster_plan import ClusterPlan
from neuron_cluster.protocol.status import HeldResources, StatusLine, StatusQuery
from neuron_cluster.providers.eks.group_status import group_lines
from neuron_cluster.providers.eks.plan.eks_plan import EksPlan

ACCESS = local_destination("http://127.0.0.1:9", "111122223333", "us-west-2")
AT = datetime(2026, 11, 27, 12, tzinfo=UTC)
FILE = Path(__file__).parents[3] / "environments" / "dev-inf2.yaml"
ICE = "InsufficientInstanceCapacity - We currently do not have sufficient m7i.xlarge capacity"


@pytest.fixture(scope="module")
def plan() -> ClusterPlan:
    return check_environment(FILE).require_plan()


@pytest.fixture
def stubs() -> Iterator[dict[str, Stubber]]:
    found = {name: Stubber(client(ACCESS.target, name)) for name in ("eks", "autoscaling", "ec2")}
    for stub in found.values():
        stub.activate()
    yield found
    close_clients(ACCESS.target)


def instance(number: int, state: str) -> dict[str, Any]:
    return {
        "InstanceId": f"i-{number:017x}",
        "AvailabilityZone": "us-west-2a",
        "LifecycleState": state,
        "HealthStatus": "Healthy",
        "ProtectedFromScaleIn": False,
    }


def line_of_system(plan: ClusterPlan, stubs: dict[str, Stubber], states: list[str], activity: str) -> StatusLine:
    """The line of the group system with instances in these states, and one activity of its Auto Scaling group."""
    section = plan.provider(EksPlan)
    assert section is not None
    (system,) = [group for group in section.node_groups if group.name == "system"]
    row = {
        "AutoScalingGroupName": "asg",
        "MinSize": 0,
        "MaxSize": 4,
        "DesiredCapacity": 2,
        "DefaultCooldown": 300,
        "AvailabilityZones": ["us-west-2a"],
        "HealthCheckType": "EC2",
        "CreatedTime": AT,
        "Instances": [instance(number, state) for number, state in enumerate(states)],
    }
    event = {
        "ActivityId": "a",
        "AutoScalingGroupName": "asg",
        "Cause": "a difference between desired and actual capacity",
        "StartTime": AT,
        "StatusCode": activity,
        "StatusMessage": ICE,
    }
    described = {
        "status": "ACTIVE",
        "scalingConfig": {"minSize": system.min, "desiredSize": 2, "maxSize": system.max},
        "resources": {"autoScalingGroups": [{"name": "asg"}]},
        "modifiedAt": AT,
    }
    stubs["eks"].add_response("describe_nodegroup", {"nodegroup": described})
    stubs["autoscaling"].add_response("describe_auto_scaling_groups", {"AutoScalingGroups": [row]})
    for _ in range(2):
        stubs["autoscaling"].add_response("describe_scaling_activities", {"Activities": [event]})
    stubs["ec2"].add_response("describe_instance_status", {"InstanceStatuses": []})
    query = StatusQuery(plan, ACCESS, load_catalog(), AT, HeldResources({}), "dev-inf2")
    return next(iter(group_lines(query, structs.replace(section, node_groups=(system,)))))


@pytest.mark.parametrize(
    ("states", "activity", "verdict", "cause"),
    [
        (["InService", "InService"], "Successful", "healthy", "2 of 2 instances in service, ACTIVE"),
        (["InService", "Pending"], "InProgress", "warning", "1 of 2 instances in service, 1 start"),
        (["InService", "Pending"], "Failed", "error", "1 of 2 instances in service; the last launch failed: Insuff"),
        (["InService"], "InProgress", "error", "1 of 2 instances in service"),
    ],
)
def test_missing_instances_are_an_error_unless_all_of_them_start(
    states: list[str], activity: str, verdict: str, cause: str, plan: ClusterPlan, stubs: dict[str, Stubber]
) -> None:
    line = line_of_system(plan, stubs, states, activity)
    assert line.verdict.value == verdict
    assert line.cause.startswith(cause)
