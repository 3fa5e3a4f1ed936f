"""Nodes of a HyperPod cluster, and what is said and asked before they are changed."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from botocore.stub import Stubber

from neuron_cluster.aws.session import client, close_clients
from neuron_cluster.catalog.catalog import load_catalog
from neuron_cluster.deploy.destination import local_destination
from neuron_cluster.plan.cluster_plan import ClusterPlan
from neuron_cluster.protocol.nodes import Node, NodeQuery
from neuron_cluster.providers.hyperpod.node_actions import Reboot, Replace
from neuron_cluster.providers.hyperpod.node_service import HyperPodNodes
from neuron_cluster.providers.hyperpod.plan.hyperpod_plan import HyperPodPlan

NAME = "hyperpod-trn2"
ARN = "arn:aws:sagemaker:us-east-2:111122223333:cluster/0123456789ab"
AT = datetime(2026, 11, 29, 12, tzinfo=UTC)
IDS = [f"i-{number:017x}" for number in range(3)]
WEEK = "arn:aws:sagemaker:us-east-2:111122223333:training-plan/trn2-week-49"


def query_of(plan: ClusterPlan) -> NodeQuery:
    access = local_destination("http://127.0.0.1:9", "111122223333", "us-east-2")
    return NodeQuery(plan, access, load_catalog(), NAME)


@pytest.fixture(scope="module")
def query(plan_of: Callable[..., ClusterPlan]) -> Iterator[NodeQuery]:
    made = query_of(plan_of(NAME))
    yield made
    close_clients(made.access.target)


@pytest.fixture
def sagemaker(query: NodeQuery) -> Iterator[Stubber]:
    with Stubber(client(query.access.target, "sagemaker")) as stub:
        yield stub
        stub.assert_no_pending_responses()


def physical_name(query: NodeQuery) -> str:
    plan = query.plan.provider(HyperPodPlan)
    assert plan is not None
    return plan.groups[0].physical_name


def row(name: str, number: int, status: str = "Running") -> dict[str, Any]:
    return {
        "InstanceGroupName": name,
        "InstanceId": IDS[number],
        "InstanceType": "ml.trn2.48xlarge",
        "LaunchTime": AT,
        "InstanceStatus": {"Status": status},
    }


def describe(sagemaker: Stubber, **more: Any) -> None:
    answer = {"ClusterArn": ARN, "ClusterName": NAME, "ClusterStatus": "InService", "InstanceGroups": [], **more}
    sagemaker.add_response("describe_cluster", answer, {"ClusterName": NAME})


def node(**given: Any) -> Node:
    return Node(**{"id": IDS[0], "group": "trn2", "instance_type": "ml.trn2.48xlarge", "status": "Running"} | given)


def test_nodes_have_the_groups_of_the_file_which_come_first(query: NodeQuery, sagemaker: Stubber) -> None:
    name = physical_name(query)
    describe(sagemaker)
    rows = {"ClusterNodeSummaries": [row("foreign", 0), row(name, 1, "Failure")]}
    sagemaker.add_response("list_cluster_nodes", rows, {"ClusterName": NAME})
    nodes = HyperPodNodes().nodes(query)
    assert nodes is not None
    assert [(each.id, each.group, each.zone_id, each.status) for each in nodes] == [
        (IDS[1], "trn2", "use2-az3", "Failure"),
        (IDS[0], "foreign", "", "Running"),
    ]
    assert (nodes[0].launched, nodes[0].other_names) == (AT, (f"hyperpod-{IDS[1]}",))


def test_with_continuous_provisioning_nodes_without_an_instance_are_asked_for(
    query: NodeQuery, sagemaker: Stubber
) -> None:
    describe(sagemaker, NodeProvisioningMode="Continuous")
    expected = {"ClusterName": NAME, "IncludeNodeLogicalIds": True}
    sagemaker.add_response("list_cluster_nodes", {"ClusterNodeSummaries": []}, expected)
    assert HyperPodNodes().nodes(query) == ()
    assert Replace().obstacle(node(id="node-0", has_instance=False)) == "it has no instance yet"


def test_without_the_cluster_there_are_no_nodes(query: NodeQuery, sagemaker: Stubber) -> None:
    sagemaker.add_client_error("describe_cluster", "ResourceNotFound")
    assert HyperPodNodes().nodes(query) is None


@pytest.mark.parametrize(
    ("status", "obstacle"),
    [
        ("Running", ""),
        ("Failure", ""),
        ("DeepHealthCheckInProgress", ""),
        ("Pending", "it is Pending"),
        ("ShuttingDown", "it is ShuttingDown"),
        ("SystemUpdating", "it is SystemUpdating"),
    ],
)
def test_a_node_that_is_changing_is_not_requested(status: str, obstacle: str) -> None:
    assert [action.obstacle(node(status=status)) for action in HyperPodNodes.actions] == [obstacle, obstacle]


@pytest.mark.parametrize(
    "code", ["InstanceIdNotFound", "InvalidInstanceStatus", "InstanceIdInUse", "InternalServerError"]
)
def test_each_error_code_of_a_node_has_a_next_step(query: NodeQuery, sagemaker: Stubber, code: str) -> None:
    failed = {"NodeId": IDS[0], "ErrorCode": code, "Message": "no"}
    for operation in ("batch_replace_cluster_nodes", "batch_reboot_cluster_nodes"):
        sagemaker.add_response(operation, {"Successful": [IDS[1]], "Failed": [failed]})
    for action in (Replace(), Reboot()):
        rejected = action.request(query, IDS[:2])
        assert [(each, found.code, found.message) for each, found in rejected.items()] == [(IDS[0], code, "no")]
        assert rejected[IDS[0]].hint


def test_the_codes_that_have_a_next_step_are_those_of_the_api(query: NodeQuery) -> None:
    model = client(query.access.target, "sagemaker").meta.service_model
    for operation in ("BatchReplaceClusterNodesError", "BatchRebootClusterNodesError"):
        assert set(model.shape_for(operation).members["ErrorCode"].enum) == {
            "InstanceIdNotFound",
            "InvalidInstanceStatus",
            "InstanceIdInUse",
            "InternalServerError",
        }


def test_one_request_has_as_many_nodes_as_the_api_takes(query: NodeQuery) -> None:
    model = client(query.access.target, "sagemaker").meta.service_model
    for operation in ("BatchReplaceClusterNodes", "BatchRebootClusterNodes"):
        ids = model.operation_model(operation).input_shape.members["NodeIds"]
        assert ids.metadata["max"] == Replace().most(query.catalog) == Reboot().most(query.catalog)


def test_a_replacement_states_what_ends_and_what_is_lost(query: NodeQuery) -> None:
    sentences = " ".join(Replace().effects(query, [node()]))
    assert "does not drain them: pods and jobs on these nodes end. Save a checkpoint" in sentences
    assert "root volumes too, are deleted" in sentences
    assert "Capacity of trn2 is not reserved" in sentences


def test_a_group_of_a_training_plan_has_reserved_capacity(plan_of: Callable[..., ClusterPlan]) -> None:
    purchase = {
        "kind": "training_plan",
        "plan_arn": WEEK,
        "starts": "2026-12-01T11:30:00Z",
        "ends": "2026-12-08T11:30:00Z",
    }
    plan = plan_of(NAME, {"hyperpod.groups.0.capacity": purchase})
    assert "not reserved" not in " ".join(Replace().effects(query_of(plan), [node()]))


def test_a_group_with_deep_health_checks_runs_pods_later(plan_of: Callable[..., ClusterPlan]) -> None:
    edits = {"hyperpod.groups.0.deep_health_checks": ["instance_stress"]}
    sentences = " ".join(Replace().effects(query_of(plan_of(NAME, edits)), [node()]))
    assert "New nodes of trn2 pass deep health checks before pods run there." in sentences


def test_a_reboot_keeps_volumes_and_ends_pods(query: NodeQuery) -> None:
    sentences = " ".join(Reboot().effects(query, [node()]))
    assert "their ids and volumes stay" in sentences
    assert "pods and jobs on these nodes end" in sentences


def test_the_actions_name_the_permissions_of_their_calls() -> None:
    assert [action.permissions for action in HyperPodNodes.actions] == [
        ("sagemaker:BatchReplaceClusterNodes",),
        ("sagemaker:BatchRebootClusterNodes",),
    ]
    assert HyperPodNodes.permissions == ("sagemaker:DescribeCluster", "sagemaker:ListClusterNodes")


def test_the_page_names_the_permissions_of_each_action() -> None:
    page = (Path(__file__).parents[4] / "docs" / "hyperpod.md").read_text()
    section = page[page.index("## Replace and reboot nodes") : page.index("## Open questions")]
    needed = {*HyperPodNodes.permissions, *(each for action in HyperPodNodes.actions for each in action.permissions)}
    assert set(re.findall(r"`(sagemaker:\w+)`", section)) == needed
