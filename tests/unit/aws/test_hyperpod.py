"""Clusters of HyperPod, from answers in the form that the API documents."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from typing import Any

import pytest
from botocore.stub import Stubber

from neuron_cluster.aws import hyperpod
from neuron_cluster.aws.errors import AwsApiError
from neuron_cluster.aws.session import LocalTarget, client, close_clients

LOCAL = LocalTarget("us-east-2", "111122223333", "http://127.0.0.1:9")
AT = datetime(2026, 11, 29, 12, tzinfo=UTC)
NAME = "hyperpod-trn2"
ARN = "arn:aws:sagemaker:us-east-2:111122223333:cluster/0123456789ab"
EKS = f"arn:aws:eks:us-east-2:111122223333:cluster/{NAME}"
PLAN_ARN = "arn:aws:sagemaker:us-east-2:111122223333:training-plan/trn2-week-49"
GROUP = {
    "InstanceGroupName": "trn2-4d837fd0",
    "InstanceType": "ml.trn2.48xlarge",
    "Status": "InService",
    "CurrentCount": 3,
    "TargetCount": 4,
    "TrainingPlanArn": PLAN_ARN,
}


@pytest.fixture
def sagemaker() -> Iterator[Stubber]:
    with Stubber(client(LOCAL, "sagemaker")) as stub:
        yield stub
    close_clients(LOCAL)


def described(**more: Any) -> dict[str, Any]:
    return {"ClusterArn": ARN, "ClusterName": NAME, "ClusterStatus": "InService", "InstanceGroups": [GROUP], **more}


def test_a_cluster_has_what_the_answer_says(sagemaker: Stubber) -> None:
    answer = described(
        CreationTime=AT,
        Orchestrator={"Eks": {"ClusterArn": EKS}},
        NodeRecovery="Automatic",
        NodeProvisioningMode="Continuous",
    )
    sagemaker.add_response("describe_cluster", answer, {"ClusterName": NAME})
    assert hyperpod.cluster(LOCAL, NAME) == hyperpod.HyperPodCluster(
        name=NAME,
        arn=ARN,
        status="InService",
        recovery="Automatic",
        is_continuous=True,
        eks_cluster_arn=EKS,
        groups=(hyperpod.InstanceGroupState("trn2-4d837fd0", "ml.trn2.48xlarge", "InService", 3, 4, PLAN_ARN),),
    )


def test_members_that_an_answer_leaves_out_have_their_defaults(sagemaker: Stubber) -> None:
    """A cluster of Slurm that gets all instances or none; a group that is being made."""
    group = {"InstanceGroupName": "new"}
    sagemaker.add_response("describe_cluster", described(InstanceGroups=[group]), {"ClusterName": ARN})
    found = hyperpod.cluster(LOCAL, ARN)
    assert found is not None
    assert (found.recovery, found.is_continuous, found.eks_cluster_arn, found.failure) == ("None", False, "", "")
    assert found.groups == (hyperpod.InstanceGroupState("new", "", "", 0, 0),)


def test_a_failure_has_its_message(sagemaker: Stubber) -> None:
    answer = described(ClusterStatus="Failed", FailureMessage="EFA health checks did not run successfully")
    sagemaker.add_response("describe_cluster", answer)
    found = hyperpod.cluster(LOCAL, NAME)
    assert found is not None
    assert (found.status, found.failure) == ("Failed", "EFA health checks did not run successfully")


def test_a_cluster_that_does_not_exist_is_none(sagemaker: Stubber) -> None:
    sagemaker.add_client_error("describe_cluster", "ResourceNotFound", f"Cluster {NAME} not found")
    assert hyperpod.cluster(LOCAL, NAME) is None


@pytest.mark.parametrize("code", ["AccessDeniedException", "ValidationException"])
def test_any_other_answer_is_an_error_of_the_toolkit(sagemaker: Stubber, code: str) -> None:
    """A caller that may not read must not be told that there is no cluster."""
    for operation in ("describe_cluster", "list_cluster_nodes", "list_cluster_events"):
        sagemaker.add_client_error(operation, code, "not now")
    for read in (
        lambda: hyperpod.cluster(LOCAL, NAME),
        lambda: hyperpod.nodes(LOCAL, NAME),
        lambda: hyperpod.events(LOCAL, NAME, most=5),
    ):
        with pytest.raises(AwsApiError, match="not now"):
            read()


def node(number: int, **status: str) -> dict[str, Any]:
    return {
        "InstanceGroupName": "trn2-4d837fd0",
        "InstanceId": f"i-{number:017x}",
        "InstanceType": "ml.trn2.48xlarge",
        "LaunchTime": AT,
        "InstanceStatus": {"Status": "Running", **status},
    }


def test_nodes_of_all_pages_are_returned(sagemaker: Stubber) -> None:
    first = {"ClusterNodeSummaries": [node(0), node(1)], "NextToken": "more"}
    sagemaker.add_response("list_cluster_nodes", first, {"ClusterName": NAME})
    second = {"ClusterNodeSummaries": [node(2, Status="Failure", Message="HardwareFailure")]}
    sagemaker.add_response("list_cluster_nodes", second, {"ClusterName": NAME, "NextToken": "more"})
    healthy, _, failed = hyperpod.nodes(LOCAL, NAME)
    assert healthy == hyperpod.NodeState(
        "i-00000000000000000", "trn2-4d837fd0", "Running", "", AT, instance_type="ml.trn2.48xlarge"
    )
    assert (failed.id[-1], failed.status, failed.message) == ("2", "Failure", "HardwareFailure")


def test_logical_ids_are_asked_for_with_awaited_nodes(sagemaker: Stubber) -> None:
    answer = {"ClusterNodeSummaries": [{**node(0), "NodeLogicalId": "node-0"}]}
    sagemaker.add_response("list_cluster_nodes", answer, {"ClusterName": NAME, "IncludeNodeLogicalIds": True})
    (running,) = hyperpod.nodes(LOCAL, NAME, with_awaited=True)
    assert (running.id, running.logical_id) == ("i-00000000000000000", "node-0")


@pytest.mark.parametrize(
    ("operation", "call"),
    [("batch_reboot_cluster_nodes", hyperpod.reboot_nodes), ("batch_replace_cluster_nodes", hyperpod.replace_nodes)],
)
def test_nodes_that_a_request_rejects_are_returned_with_their_code(
    sagemaker: Stubber, operation: str, call: Callable[..., tuple[hyperpod.RejectedNode, ...]]
) -> None:
    first, second = "i-00000000000000000", "i-00000000000000001"
    failed = {"NodeId": second, "ErrorCode": "InstanceIdInUse", "Message": "busy"}
    expected = {"ClusterName": NAME, "NodeIds": [first, second]}
    sagemaker.add_response(operation, {"Successful": [first], "Failed": [failed]}, expected)
    assert call(LOCAL, NAME, [first, second]) == (hyperpod.RejectedNode(second, "InstanceIdInUse", "busy"),)
    sagemaker.add_response(operation, {"Successful": [first]}, {"ClusterName": NAME, "NodeIds": [first]})
    assert call(LOCAL, NAME, [first]) == ()


def test_the_newest_events_are_asked_for(sagemaker: Stubber) -> None:
    event = {"EventId": "e" * 8, "ClusterArn": ARN, "ClusterName": NAME, "EventTime": AT}
    of_group = {
        **event,
        "ResourceType": "InstanceGroup",
        "InstanceGroupName": "trn2-4d837fd0",
        "EventLevel": "Error",
        "Description": "Insufficient capacity",
    }
    expected = {"ClusterName": NAME, "SortBy": "EventTime", "SortOrder": "Descending", "MaxResults": 20}
    answer = {"Events": [of_group, {**event, "ResourceType": "Cluster"}]}
    sagemaker.add_response("list_cluster_events", answer, expected)
    assert hyperpod.events(LOCAL, NAME, most=20) == (
        hyperpod.ClusterEvent(AT, "Error", "trn2-4d837fd0", "", "Insufficient capacity"),
        hyperpod.ClusterEvent(AT, "Info", "", "", ""),
    )
