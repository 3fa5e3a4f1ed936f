"""Nodes that a command names are found before any is changed, and requests are as large as the API takes."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from botocore.stub import Stubber
from hint_commands import command_error, commands_in

from neuron_cluster.aws.session import client, close_clients
from neuron_cluster.catalog.catalog import load_catalog
from neuron_cluster.deploy.deployed_nodes import (
    BusyNodeError,
    ChosenNodes,
    NoNodesError,
    UnknownNodeError,
    chosen_nodes,
    deployed_nodes,
)
from neuron_cluster.deploy.destination import local_destination
from neuron_cluster.deploy.node_requests import request_nodes
from neuron_cluster.errors import ToolkitError
from neuron_cluster.plan.cluster_plan import ClusterPlan
from neuron_cluster.protocol.nodes import NodeQuery
from neuron_cluster.providers.hyperpod.plan.hyperpod_plan import HyperPodPlan

NAME = "hyperpod-trn2"
ARN = "arn:aws:sagemaker:us-east-2:111122223333:cluster/0123456789ab"
IDS = [f"i-{number:017x}" for number in range(60)]
REPLACE = "batch_replace_cluster_nodes"


def query_of(plan: ClusterPlan) -> NodeQuery:
    access = local_destination("http://127.0.0.1:9", "111122223333", plan.region)
    return NodeQuery(plan, access, load_catalog(), plan.name)


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


def listed(sagemaker: Stubber, query: NodeQuery, **statuses: str) -> None:
    """The cluster with as many nodes as there are ids; ``n3="Pending"`` is the status of the fourth."""
    plan = query.plan.provider(HyperPodPlan)
    assert plan is not None
    rows = [
        {
            "InstanceGroupName": plan.groups[0].physical_name,
            "InstanceId": node_id,
            "InstanceType": "ml.trn2.48xlarge",
            "InstanceStatus": {"Status": statuses.get(f"n{number}", "Running")},
            "LaunchTime": 1796000000,
        }
        for number, node_id in enumerate(IDS)
    ]
    described = {"ClusterArn": ARN, "ClusterName": NAME, "ClusterStatus": "InService", "InstanceGroups": []}
    sagemaker.add_response("describe_cluster", described, {"ClusterName": NAME})
    sagemaker.add_response("list_cluster_nodes", {"ClusterNodeSummaries": rows}, {"ClusterName": NAME})


def chosen(sagemaker: Stubber, query: NodeQuery, *names: str, **statuses: str) -> ChosenNodes:
    listed(sagemaker, query, **statuses)
    (found,) = chosen_nodes(query, "replace", names)
    return found


def requested(sagemaker: Stubber, ids: list[str], *failed: dict[str, Any]) -> None:
    answer = {"Successful": ids[:1], "Failed": list(failed)}
    sagemaker.add_response(REPLACE, answer, {"ClusterName": NAME, "NodeIds": ids})


def test_a_node_that_is_named_twice_is_chosen_once(sagemaker: Stubber, query: NodeQuery) -> None:
    found = chosen(sagemaker, query, IDS[1], f"hyperpod-{IDS[1]}", IDS[0])
    assert [node.id for node in found.nodes] == IDS[:2]
    assert len(found.all.nodes) == len(IDS)


@pytest.mark.hints("E9608")
@pytest.mark.parametrize(
    ("names", "message", "hint"),
    [
        (["i-0000000000000000f"], f"i-0000000000000000f is not a node of {NAME}; nothing was changed", "did you mean"),
        (
            ["web-1", "web-2"],
            f"web-1 and web-2 are not nodes of {NAME}; nothing was changed",
            "`neuron-cluster node list",
        ),
        (
            ["trn2"],
            f"trn2 is not a node of {NAME}; nothing was changed",
            f"trn2 is a group: name its nodes: {IDS[0]}, ",
        ),
    ],
)
def test_an_unknown_name_is_an_error_with_near_ids_and_groups(
    sagemaker: Stubber, query: NodeQuery, names: list[str], message: str, hint: str
) -> None:
    listed(sagemaker, query)
    unknown = [name.replace("0000f", "0zz0f") for name in names]
    with pytest.raises(UnknownNodeError) as caught:
        chosen_nodes(query, "replace", [IDS[0], *unknown])
    assert caught.value.message == message.replace("0000f", "0zz0f")
    assert caught.value.hint.startswith(hint)
    if names != ["trn2"]:
        assert caught.value.hint.endswith("lists 60 nodes of trn2")
        assert [command_error(command) for command in commands_in(caught.value.hint)] == [""]


@pytest.mark.hints("E9609")
def test_a_node_that_is_changing_stops_the_command_and_the_others_are_named(
    sagemaker: Stubber, query: NodeQuery
) -> None:
    with pytest.raises(BusyNodeError) as caught:
        chosen(sagemaker, query, *IDS[:3], n1="SystemUpdating")
    assert (
        caught.value.message == f"1 node cannot be replaced now ({IDS[1]}: it is SystemUpdating); nothing was changed"
    )
    assert caught.value.hint.endswith(f"shows another status, or name the others only: {IDS[0]} {IDS[2]}")
    assert [command_error(command) for command in commands_in(caught.value.hint)] == [""]


@pytest.mark.hints("E9607")
@pytest.mark.parametrize(
    ("verb", "asked"),
    [
        ("list", deployed_nodes),
        ("replace", lambda query: chosen_nodes(query, "replace", IDS[:1])),
        ("reboot", lambda query: chosen_nodes(query, "reboot", IDS[:1])),
    ],
)
def test_an_environment_without_such_nodes_has_the_sections_that_have_them(
    plan_of: Callable[..., ClusterPlan], verb: str, asked: Callable[[NodeQuery], Any]
) -> None:
    query = query_of(plan_of("train-trn1"))
    with pytest.raises(NoNodesError) as caught:
        asked(query)
    assert caught.value.message == f"`node {verb}` is for nodes of the section hyperpod, and train-trn1 has eks only"
    assert [command_error(command) for command in commands_in(caught.value.hint)] == ["", ""]


def test_a_cluster_that_does_not_exist_is_an_error_with_the_deploy(sagemaker: Stubber, query: NodeQuery) -> None:
    sagemaker.add_client_error("describe_cluster", "ResourceNotFound")
    with pytest.raises(ToolkitError, match="has no cluster of the section hyperpod in us-east-2") as caught:
        deployed_nodes(query)
    assert caught.value.hint == f"`neuron-cluster deploy --local {NAME}` creates it"


def test_more_nodes_than_one_request_takes_are_several_requests(sagemaker: Stubber, query: NodeQuery) -> None:
    found = chosen(sagemaker, query, *IDS)
    rejected = {"NodeId": IDS[30], "ErrorCode": "InstanceIdInUse", "Message": "busy"}
    requested(sagemaker, IDS[:25])
    requested(sagemaker, IDS[25:50], rejected)
    requested(sagemaker, IDS[50:])
    answers = request_nodes(query, found)
    assert [answer.node.id for answer in answers] == IDS
    assert [answer.node.id for answer in answers if not answer.is_accepted] == [IDS[30]]


def test_after_a_request_that_failed_none_follows_and_the_accepted_nodes_are_known(
    sagemaker: Stubber, query: NodeQuery
) -> None:
    found = chosen(sagemaker, query, *IDS)
    requested(sagemaker, IDS[:25])
    sagemaker.add_client_error(REPLACE, "AccessDeniedException", "no longer")
    answers = request_nodes(query, found)
    codes = [answer.rejection.code if answer.rejection is not None else None for answer in answers]
    assert codes == [None] * 25 + ["AccessDeniedException"] * 25 + ["NotSent"] * 10
    assert all(answer.rejection.hint for answer in answers if answer.rejection is not None)


def test_a_request_without_a_response_may_have_been_accepted(query: NodeQuery, sagemaker: Stubber) -> None:
    found = chosen(sagemaker, query, IDS[0])
    sagemaker.deactivate()  # nothing listens at the endpoint
    (answer,) = request_nodes(query, found)
    sagemaker.activate()
    assert answer.rejection is not None
    assert answer.rejection.code == "NoResponse"
    assert answer.rejection.hint.startswith("whether it was accepted is not known")
