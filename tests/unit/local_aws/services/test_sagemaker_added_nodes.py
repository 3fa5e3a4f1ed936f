"""Nodes that requests add to HyperPod groups, with ids that they have before they start."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest

from local_aws.server import LocalAws

Refused = Callable[..., tuple[str, str]]
Parameters = dict[str, Any]


@pytest.fixture
def cluster_of_nodes(sagemaker: Any, on_eks: Parameters) -> Parameters:
    """A cluster ``pods`` with continuous provisioning, a group of one type and a flexible one of two."""
    (group,) = on_eks["InstanceGroups"]
    flexible = {name: value for name, value in group.items() if name != "InstanceType"}
    types = {"InstanceRequirements": {"InstanceTypes": ["ml.trn1.32xlarge", "ml.trn1n.32xlarge"]}}
    groups = [{**group, "InstanceCount": 1}, {**flexible, **types, "InstanceGroupName": "flexible", "InstanceCount": 0}]
    sagemaker.create_cluster(**on_eks | {"NodeProvisioningMode": "Continuous", "InstanceGroups": groups})
    return on_eks


@pytest.fixture
def zones(client: Callable[[str], Any], ground: Any) -> list[str]:
    """The zone of the cluster's subnet, and another one."""
    subnets = client("ec2").describe_subnets(SubnetIds=ground.subnets)["Subnets"]
    by_id = {subnet["SubnetId"]: subnet["AvailabilityZone"] for subnet in subnets}
    return [by_id[each] for each in ground.subnets]


def add(sagemaker: Any, *nodes: Parameters, **parameters: Any) -> tuple[list[Any], list[Any]]:
    answer = sagemaker.batch_add_cluster_nodes(ClusterName="pods", NodesToAdd=nodes, **parameters)
    return answer["Successful"], answer["Failed"]


def some(number: int, group: str = "trn1", **members: Any) -> Parameters:
    return {"InstanceGroupName": group, "IncrementTargetCountBy": number, **members}


def counts(sagemaker: Any) -> list[tuple[int, int]]:
    groups = sagemaker.describe_cluster(ClusterName="pods")["InstanceGroups"]
    return [(group["TargetCount"], group["CurrentCount"]) for group in groups]


def listed(sagemaker: Any, **parameters: Any) -> list[Any]:
    return list(sagemaker.list_cluster_nodes(ClusterName="pods", **parameters)["ClusterNodeSummaries"])


def test_added_nodes_have_logical_ids_from_the_request_on(
    sagemaker: Any, cluster_of_nodes: Parameters, local_aws: LocalAws
) -> None:
    with local_aws.faults.scarce("trn1.32xlarge", available=2):  # of which one runs
        added, failed = add(sagemaker, some(2))
        assert ([node["Status"] for node in added], failed) == (["Running", "Pending"], [])
        assert {node["InstanceGroupName"] for node in added} == {"trn1"}
        assert counts(sagemaker) == [(3, 2), (0, 0)]
        pending = added[1]["NodeLogicalId"]
        node = sagemaker.describe_cluster_node(ClusterName="pods", NodeLogicalId=pending)["NodeDetails"]
        assert (node["InstanceStatus"]["Status"], "InstanceId" in node) == ("Pending", False)
        assert (len(listed(sagemaker)), len(listed(sagemaker, IncludeNodeLogicalIds=True))) == (2, 3)
    node = sagemaker.describe_cluster_node(ClusterName="pods", NodeLogicalId=pending)["NodeDetails"]
    assert node["InstanceStatus"]["Status"] == "Running"
    by_id = sagemaker.describe_cluster_node(ClusterName="pods", NodeId=node["InstanceId"])["NodeDetails"]
    assert by_id["NodeLogicalId"] == pending
    assert counts(sagemaker) == [(3, 3), (0, 0)]
    assert ["NodeLogicalId" in each for each in listed(sagemaker)] == [False] * 3


def test_nodes_that_an_update_adds_have_logical_ids_too(
    sagemaker: Any, cluster_of_nodes: Parameters, local_aws: LocalAws
) -> None:
    (group,) = cluster_of_nodes["InstanceGroups"]
    with local_aws.faults.scarce("trn1.32xlarge"):
        sagemaker.update_cluster(ClusterName="pods", InstanceGroups=[{**group, "InstanceCount": 3}])
        before = {node["NodeLogicalId"] for node in listed(sagemaker, IncludeNodeLogicalIds=True)}
    assert {node["NodeLogicalId"] for node in listed(sagemaker, IncludeNodeLogicalIds=True)} == before
    assert len(before) == 3


def test_nodes_are_listed_by_time_and_by_name(
    sagemaker: Any, cluster_of_nodes: Parameters, local_aws: LocalAws
) -> None:
    (group,) = cluster_of_nodes["InstanceGroups"]
    local_aws.clock.advance(timedelta(hours=1))
    later = {**group, "InstanceGroupName": "a-later", "InstanceCount": 1}
    sagemaker.update_cluster(ClusterName="pods", InstanceGroups=[later])
    between = local_aws.clock.now() - timedelta(minutes=30)
    local_aws.clock.reset()

    def groups(**parameters: Any) -> list[str]:
        return [node["InstanceGroupName"] for node in listed(sagemaker, **parameters)]

    assert groups() == ["trn1", "a-later"]
    assert groups(SortOrder="Descending") == ["a-later", "trn1"]
    assert groups(SortBy="NAME") == ["a-later", "trn1"]
    assert groups(SortBy="NAME", SortOrder="Descending") == ["trn1", "a-later"]
    assert groups(CreationTimeAfter=between) == ["a-later"]
    assert groups(CreationTimeBefore=between) == ["trn1"]


def test_a_repeated_request_adds_no_further_nodes(sagemaker: Any, cluster_of_nodes: Parameters) -> None:
    first = add(sagemaker, some(1), ClientToken="once")
    assert add(sagemaker, some(1), ClientToken="once") == first
    assert counts(sagemaker)[0] == (2, 2)


@pytest.mark.usefixtures("cluster_of_nodes")
def test_a_type_and_a_zone_of_a_group_may_be_asked_for(sagemaker: Any, zones: list[str]) -> None:
    asked = {"InstanceTypes": ["ml.trn1n.32xlarge"], "AvailabilityZones": zones[:1]}
    ((node,), failed) = add(sagemaker, some(1, "flexible", **asked))
    assert ({name: node[name] for name in asked}, failed) == (asked, [])
    (of_group,) = listed(sagemaker, InstanceGroupNameContains="flexible")
    assert of_group["InstanceType"] == "ml.trn1n.32xlarge"


def test_groups_that_take_no_nodes_are_failures(sagemaker: Any, cluster_of_nodes: Parameters, zones: list[str]) -> None:
    (group,) = cluster_of_nodes["InstanceGroups"]
    absent = {**group["LifeCycleConfig"], "OnCreate": "absent.sh"}
    more = {**group, "InstanceGroupName": "degraded", "LifeCycleConfig": absent}
    sagemaker.update_cluster(ClusterName="pods", InstanceGroups=[more])
    added, failed = add(
        sagemaker,
        some(2, "absent"),
        some(1, "degraded"),
        some(1, AvailabilityZones=zones),
        some(3, "flexible", InstanceTypes=["ml.trn2.48xlarge"]),
        some(1),
    )
    assert [node["InstanceGroupName"] for node in added] == ["trn1"]
    assert [(each["InstanceGroupName"], each["ErrorCode"], each["FailedCount"]) for each in failed] == [
        ("absent", "InstanceGroupNotFound", 2),
        ("degraded", "InvalidInstanceGroupStatus", 1),
        ("trn1", "IncompatibleAvailabilityZones", 1),
        ("flexible", "IncompatibleInstanceTypes", 3),
    ]
    assert counts(sagemaker) == [(2, 2), (0, 0), (2, 0)]


def test_requests_for_too_many_nodes_or_without_continuous_provisioning_are_rejected(
    sagemaker: Any, on_eks: Parameters, refused: Refused
) -> None:
    sagemaker.create_cluster(**on_eks)
    answer = refused(sagemaker.batch_add_cluster_nodes, ClusterName="pods", NodesToAdd=[some(26), some(25)])
    assert answer == ("ValidationException", "51 nodes are more than the 50 that a request adds at most")
    answer = refused(sagemaker.batch_add_cluster_nodes, ClusterName="pods", NodesToAdd=[some(1)])
    assert answer == (
        "ValidationException",
        "BatchAddClusterNodes needs NodeProvisioningMode Continuous, which cluster pods does not have",
    )
    answer = refused(sagemaker.batch_add_cluster_nodes, ClusterName="absent", NodesToAdd=[some(1)])
    assert answer == ("ResourceNotFound", "Cluster absent does not exist")


def test_nodes_are_rebooted_replaced_and_deleted_by_logical_id(
    sagemaker: Any, cluster_of_nodes: Parameters, local_aws: LocalAws
) -> None:
    with local_aws.faults.scarce("trn1.32xlarge"):
        ((pending,), _) = add(sagemaker, some(1))
        (running, _) = listed(sagemaker, IncludeNodeLogicalIds=True)
        known, waiting, absent = running["NodeLogicalId"], pending["NodeLogicalId"], "node-absent"
        ids = [known, waiting, absent]
        for batch in (sagemaker.batch_reboot_cluster_nodes, sagemaker.batch_replace_cluster_nodes):
            answer = batch(ClusterName="pods", NodeLogicalIds=ids)
            failed = [(each["NodeLogicalId"], each["ErrorCode"]) for each in answer["FailedNodeLogicalIds"]]
            assert (answer["SuccessfulNodeLogicalIds"], failed) == (
                [known],
                [(waiting, "InvalidInstanceStatus"), (absent, "InstanceIdNotFound")],
            )
        assert listed(sagemaker)[0]["InstanceId"] != running["InstanceId"]
        answer = sagemaker.batch_delete_cluster_nodes(ClusterName="pods", NodeLogicalIds=ids)
        assert answer["SuccessfulNodeLogicalIds"] == [known, waiting]
        assert [each["Code"] for each in answer["FailedNodeLogicalIds"]] == ["NodeIdNotFound"]
    assert counts(sagemaker) == [(0, 0), (0, 0)]


def test_a_slurm_controller_is_not_deleted(sagemaker: Any, on_eks: Parameters) -> None:
    (group,) = on_eks["InstanceGroups"]
    del on_eks["Orchestrator"]
    controller = {**group, "SlurmConfig": {"NodeType": "Controller"}}
    sagemaker.create_cluster(**on_eks | {"Orchestrator": {"Slurm": {}}, "InstanceGroups": [controller]})
    node = listed(sagemaker)[0]["InstanceId"]
    answer = sagemaker.batch_delete_cluster_nodes(ClusterName="pods", NodeIds=[node])
    assert (answer["Successful"], answer["Failed"][0]["Code"]) == ([], "InvalidNodeStatus")
    assert len(listed(sagemaker)) == 2
