"""Training plans before a deploy: SageMaker's answers against the groups of the file."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from datetime import UTC, datetime
from typing import Any

import pytest
from botocore.stub import Stubber
from hint_commands import command_error, commands_in

from neuron_cluster.aws.session import client, close_clients
from neuron_cluster.catalog.catalog import load_catalog
from neuron_cluster.deploy.destination import local_destination
from neuron_cluster.deploy.preflight.context import PreflightContext
from neuron_cluster.findings.finding import Finding, Location
from neuron_cluster.plan.cluster_plan import ClusterPlan
from neuron_cluster.providers.hyperpod.plan.hyperpod_plan import HyperPodPlan
from neuron_cluster.providers.hyperpod.training_plans import check, subjects

NAME = "hyperpod-trn2"
HERE = local_destination("http://127.0.0.1:9", "111122223333", "us-east-2")
GROUP = "hyperpod.groups.0"
ARN = "arn:aws:sagemaker:us-east-2:111122223333:training-plan/trn2-week-49"
START, END = datetime(2026, 12, 1, 11, 30, tzinfo=UTC), datetime(2026, 12, 8, 11, 30, tzinfo=UTC)
PLANNED = {
    "kind": "training_plan",
    "plan_arn": ARN,
    "starts": "2026-12-01T11:30:00Z",
    "ends": "2026-12-08T11:30:00Z",
}
SECOND = {
    "name": "second",
    "instance_type": "ml.trn2.48xlarge",
    "count": {"desired": 2},
    "availability_zone": "use2-az3",
    "capacity": {**PLANNED},
}
CAPACITY = {
    "ReservedCapacityArn": "arn:aws:sagemaker:us-east-2:111122223333:reserved-capacity/0123456789ab",
    "InstanceType": "ml.trn2.48xlarge",
    "TotalInstanceCount": 4,
    "Status": "Active",
    "AvailabilityZoneId": "use2-az3",
}
PLAN = {
    "TrainingPlanArn": ARN,
    "TrainingPlanName": "trn2-week-49",
    "Status": "Active",
    "StartTime": START,
    "EndTime": END,
    "TargetResources": ["hyperpod-cluster"],
    "TotalInstanceCount": 4,
    "AvailableInstanceCount": 4,
    "ReservedCapacitySummaries": [CAPACITY],
}

ContextOf = Callable[..., PreflightContext]


@pytest.fixture
def context_of(plan_of: Callable[..., ClusterPlan]) -> ContextOf:
    def context(edits: Mapping[str, Any] | None = None) -> PreflightContext:
        def located(path: tuple[str | int, ...]) -> Location:
            return Location(f"{NAME}.yaml", path=".".join(map(str, path)))

        given = {f"{GROUP}.capacity": PLANNED, **(edits or {})}
        return PreflightContext(plan_of(NAME, given), HERE, located, load_catalog())

    return context


@pytest.fixture
def sagemaker() -> Iterator[Stubber]:
    with Stubber(client(HERE.target, "sagemaker")) as stub:
        yield stub
        stub.assert_no_pending_responses()
    close_clients(HERE.target)


def found(stub: Stubber, context: PreflightContext, **members: Any) -> list[Finding]:
    """The findings where SageMaker describes the plan with these members."""
    stub.add_response("describe_training_plan", {**PLAN, **members}, {"TrainingPlanName": ARN})
    return list(check(context))


def cluster_with(stub: Stubber, target: int, name: str = "trn2-01234567") -> None:
    """The deployed cluster has so many instances in the plan, and more in no plan."""
    groups = [
        {"InstanceGroupName": name, "TrainingPlanArn": ARN, "TargetCount": target},
        {"InstanceGroupName": "other-01234567", "TargetCount": 9},
    ]
    cluster = {"ClusterArn": f"{ARN.partition('training-plan')[0]}cluster/a", "ClusterStatus": "InService"}
    stub.add_response("describe_cluster", {**cluster, "InstanceGroups": groups}, {"ClusterName": NAME})


def test_a_plan_that_fits_has_no_finding(sagemaker: Stubber, context_of: ContextOf) -> None:
    assert subjects(context_of()) == [f"trn2: {ARN}"]
    assert found(sagemaker, context_of()) == []


def test_a_group_without_a_plan_asks_nothing(sagemaker: Stubber, context_of: ContextOf) -> None:
    context = context_of({f"{GROUP}.capacity": {"kind": "on_demand"}})
    assert (subjects(context), list(check(context))) == ([], [])


@pytest.mark.hints("E9592")
def test_a_plan_that_is_not_there_is_an_error(sagemaker: Stubber, context_of: ContextOf) -> None:
    sagemaker.add_client_error("describe_training_plan", "ResourceNotFound")
    (error,) = check(context_of())
    assert (error.id, error.location.path) == ("E9592", f"{GROUP}.capacity.plan_arn")
    assert f"no training plan {ARN} in us-east-2" in error.message
    (listing,) = commands_in(error.hint)
    assert not command_error(listing)


@pytest.mark.parametrize(
    ("members", "reason"),
    [
        ({"TargetResources": ["training-job"]}, "its target is training-job, not hyperpod-cluster"),
        ({"TotalInstanceCount": 3}, "it has 3 instances, but count.desired is 4"),
        (
            {"ReservedCapacitySummaries": [{**CAPACITY, "InstanceType": "ml.trn1.32xlarge"}]},
            "has ml.trn1.32xlarge, but instance_type is ml.trn2.48xlarge",
        ),
        (
            {"ReservedCapacitySummaries": [{**CAPACITY, "AvailabilityZoneId": "use2-az1"}]},
            "is in use2-az1, but the group is in use2-az3",
        ),
    ],
    ids=["target", "size", "type", "zone"],
)
def test_a_plan_in_which_no_node_starts_is_an_error(
    sagemaker: Stubber, context_of: ContextOf, members: Mapping[str, Any], reason: str
) -> None:
    (error,) = found(sagemaker, context_of(), **members)
    assert error.id == "E9592"
    assert reason in error.message


def test_a_plan_of_no_stated_zone_is_in_any(sagemaker: Stubber, context_of: ContextOf) -> None:
    capacity = {key: value for key, value in CAPACITY.items() if key != "AvailabilityZoneId"}
    assert found(sagemaker, context_of(), ReservedCapacitySummaries=[capacity]) == []


@pytest.mark.parametrize("status", ["Pending", "Expired", "Failed"])
@pytest.mark.parametrize("desired", [4, 0])
def test_a_new_group_gets_no_plan_of_another_state(
    sagemaker: Stubber, context_of: ContextOf, status: str, desired: int
) -> None:
    """Whatever its count is. A cluster that is not deployed has no group yet."""
    sagemaker.add_response("describe_training_plan", {**PLAN, "Status": status})
    sagemaker.add_client_error("describe_cluster", "ResourceNotFound")
    (error,) = check(context_of({f"{GROUP}.count.desired": desired}))
    assert error.id == "E9592"
    assert error.message.endswith(f"it is {status}, and SageMaker accepts it only when it is Scheduled or Active")


@pytest.mark.parametrize(("desired", "ids"), [(4, ["E9592"]), (0, [])])
def test_a_plan_that_is_over_may_have_a_deployed_group_without_nodes(
    sagemaker: Stubber, context_of: ContextOf, desired: int, ids: list[str]
) -> None:
    """The step between two plans."""
    context = context_of({f"{GROUP}.count.desired": desired})
    plan = context.plan.provider(HyperPodPlan)
    assert plan is not None
    sagemaker.add_response("describe_training_plan", {**PLAN, "Status": "Expired"})
    cluster_with(sagemaker, 4, plan.groups[0].physical_name)
    assert [each.id for each in check(context)] == ids


def test_groups_of_one_plan_share_its_instances(sagemaker: Stubber, context_of: ContextOf) -> None:
    (error,) = found(sagemaker, context_of({"hyperpod.groups.1": SECOND}))
    assert error.message.endswith("it has 4 instances, but count.desired is 6")
    assert "nodes of trn2 and second cannot start" in error.message


def test_instances_of_the_deployed_cluster_are_not_missing(sagemaker: Stubber, context_of: ContextOf) -> None:
    sagemaker.add_response("describe_training_plan", {**PLAN, "AvailableInstanceCount": 0})
    cluster_with(sagemaker, 4)
    assert list(check(context_of())) == []


def test_instances_of_another_cluster_are_missing(sagemaker: Stubber, context_of: ContextOf) -> None:
    sagemaker.add_response("describe_training_plan", {**PLAN, "AvailableInstanceCount": 1})
    cluster_with(sagemaker, 2)
    (error,) = check(context_of())
    assert error.message.endswith("3 of its 4 instances are free, but count.desired is 4")


@pytest.mark.hints("W9596")
def test_a_plan_that_has_not_begun_is_a_warning(sagemaker: Stubber, context_of: ContextOf) -> None:
    (warning,) = found(sagemaker, context_of(), Status="Scheduled")
    assert warning.id == "W9596"
    assert "is Scheduled and begins 2026-12-01 11:30 UTC: no node starts before" in warning.message
    assert "count.desired at 0" in warning.hint
    assert found(sagemaker, context_of({f"{GROUP}.count.desired": 0}), Status="Scheduled") == []


def test_a_date_that_is_not_the_plans_is_a_warning(sagemaker: Stubber, context_of: ContextOf) -> None:
    (warning,) = found(sagemaker, context_of(), EndTime=datetime(2026, 12, 9, 11, 30, tzinfo=UTC))
    assert (warning.id, warning.location.path) == ("W9596", f"{GROUP}.capacity.ends")
    assert warning.hint == "set ends: 2026-12-09T11:30:00Z"
    without = context_of({f"{GROUP}.capacity": {"kind": "training_plan", "plan_arn": ARN}})
    assert found(sagemaker, without, EndTime=datetime(2026, 12, 9, 11, 30, tzinfo=UTC)) == []
