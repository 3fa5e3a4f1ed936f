"""The remaining time of a deploy, as the terminal shows it."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from neuron_cluster.catalog.catalog import load_catalog
from neuron_cluster.changes.comparison import Comparison
from neuron_cluster.deploy.deployed_assembly import write_deployed_assembly
from neuron_cluster.deploy.deployment import Changes, Deployment
from neuron_cluster.deploy.destination import Destination, aws_destination, local_destination
from neuron_cluster.deploy.progress import StackProgress
from neuron_cluster.deploy.remaining import remaining_line
from neuron_cluster.deploy.timed_assembly import expected_text
from neuron_cluster.plan.cluster_plan import ClusterPlan
from neuron_cluster.timing.remaining_time import ResourceState

ACCOUNT, REGION = "210987654321", "eu-north-1"
AWS = aws_destination(ACCOUNT, REGION)
NETWORK, CLUSTER = "train-network", "train-cluster"
TEMPLATES = {
    NETWORK: {"Resources": {"Nat": {"Type": "AWS::EC2::NatGateway"}}},
    CLUSTER: {"Resources": {"Cluster": {"Type": "AWS::EKS::Cluster"}, "Route": {"Type": "AWS::EC2::Route"}}},
}
BEGAN = datetime(2026, 11, 29, 12, tzinfo=UTC)


@pytest.fixture
def deployment(tmp_path: Path, training: ClusterPlan) -> Deployment:
    return deployment_to(AWS, tmp_path, training)


def deployment_to(destination: Destination, folder: Path, plan: ClusterPlan) -> Deployment:
    write_deployed_assembly(folder, AWS, "aws", TEMPLATES)
    return Deployment(plan, folder, folder, destination)


def changes(*new_stacks: str) -> Changes:
    return Changes(Comparison({}, {}, load_catalog()), findings=(), effects=(), new_stacks=new_stacks)


def stack(name: str, status: str, resources: Mapping[str, ResourceState] | None = None) -> StackProgress:
    return StackProgress(name, status, done=0, total=1, seconds=0, resources=resources or {})


def state(second: int, *, is_complete: bool = False) -> ResourceState:
    return ResourceState(BEGAN + timedelta(seconds=second), is_complete)


def line(deployment: Deployment, second: int, *stacks: StackProgress) -> str:
    new = deployment.timed_new_stacks(changes(NETWORK, CLUSTER))
    return remaining_line(new, stacks, BEGAN + timedelta(seconds=second))


def test_new_stacks_are_expected_to_take_what_the_catalog_says(deployment: Deployment) -> None:
    found = expected_text(deployment.timed_new_stacks(changes(NETWORK, CLUSTER)))
    longest = "AWS::EC2::NatGateway 1 to 2 min, AWS::EKS::Cluster 8 to 14 min"
    assert found == f"9 to 16 min; the longest on the critical path: {longest}"


def test_stacks_that_exist_are_not_counted(deployment: Deployment) -> None:
    assert expected_text(deployment.timed_new_stacks(changes(NETWORK))).startswith("1 to 2 min")
    assert deployment.timed_new_stacks(changes()) == []


def test_the_local_aws_has_no_expected_time(tmp_path: Path, training: ClusterPlan) -> None:
    here = local_destination("http://127.0.0.1:9", ACCOUNT, REGION)
    assert deployment_to(here, tmp_path, training).timed_new_stacks(changes(NETWORK)) == []


def test_the_remaining_time_shrinks_while_resources_are_in_progress(deployment: Deployment) -> None:
    waiting = line(deployment, 0, stack(NETWORK, "waiting"), stack(CLUSTER, "waiting"))
    nat = {"Nat": state(0)}
    begun = line(deployment, 50, stack(NETWORK, "CREATE_IN_PROGRESS", nat), stack(CLUSTER, "waiting"))
    assert waiting == "remaining for the new stacks: 9 to 16 min"
    assert begun == "remaining for the new stacks: 8 to 16 min"
    made = {"Nat": state(0, is_complete=True)}
    cluster = {"Cluster": state(100), "Route": state(100, is_complete=True)}
    last = line(deployment, 700, stack(NETWORK, "CREATE_COMPLETE", made), stack(CLUSTER, "CREATE_IN_PROGRESS", cluster))
    assert last == "remaining for the new stacks: up to 4 min"


def test_a_resource_beyond_its_longest_time_is_named(deployment: Deployment) -> None:
    late = stack(NETWORK, "CREATE_IN_PROGRESS", {"Nat": state(0)})
    assert line(deployment, 300, late, stack(CLUSTER, "waiting")) == (
        "remaining for the new stacks: 8 to 14 min; train-network/Nat (AWS::EC2::NatGateway) has taken 5 min, "
        "longer than the expected 1 to 2 min"
    )


@pytest.mark.parametrize("status", ["ROLLBACK_IN_PROGRESS", "CREATE_FAILED", "ROLLBACK_COMPLETE"])
def test_after_a_failure_no_time_remains_to_be_told(deployment: Deployment, status: str) -> None:
    assert line(deployment, 10, stack(NETWORK, status, {"Nat": state(0)}), stack(CLUSTER, "waiting")) == ""


def test_when_all_new_stacks_exist_nothing_is_shown(deployment: Deployment) -> None:
    assert line(deployment, 10, stack(NETWORK, "CREATE_COMPLETE"), stack(CLUSTER, "CREATE_COMPLETE")) == ""
