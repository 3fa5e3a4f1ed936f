"""Nodes of HyperPod that fail, for a fault or in their deep health checks, and what replaces them."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest

from local_aws.server import LocalAws

Refused = Callable[..., tuple[str, str]]
Parameters = dict[str, Any]
CONTINUOUS = {"NodeProvisioningMode": "Continuous"}
CHECKS = ["InstanceStress", "InstanceConnectivity"]


def statuses(sagemaker: Any) -> dict[str, str]:
    """The status of each node by id."""
    listed = sagemaker.list_cluster_nodes(ClusterName="pods")["ClusterNodeSummaries"]
    return {node["InstanceId"]: node["InstanceStatus"]["Status"] for node in listed}


def last_events(sagemaker: Any, number: int) -> list[tuple[str, str]]:
    """Level and description of the newest events, the oldest of them first."""
    found = sagemaker.list_cluster_events(ClusterName="pods", MaxResults=number)["Events"]
    return [(event["EventLevel"], event["Description"]) for event in found[::-1]]


def test_a_node_that_fails_is_replaced(sagemaker: Any, on_eks: Parameters, local_aws: LocalAws) -> None:
    sagemaker.create_cluster(**on_eks | CONTINUOUS)
    first, second = statuses(sagemaker)
    with local_aws.faults.failing_node(first) as fault:
        assert statuses(sagemaker) == {first: "Failure", second: "Running"}
        node = sagemaker.describe_cluster_node(ClusterName="pods", NodeId=first)["NodeDetails"]
        assert (node["InstanceStatus"]["Message"], fault.injected) == ("The node reports a hardware failure", 1)
        assert last_events(sagemaker, 1) == [("Error", "The node reports a hardware failure")]
    after = statuses(sagemaker)
    assert (first in after, second in after, [*after.values()]) == (False, True, ["Running", "Running"])
    assert last_events(sagemaker, 2) == [("Warn", "The instance is replaced"), ("Info", "The instance runs")]
    (new,) = after.keys() - {second}
    described = sagemaker.describe_cluster_node(ClusterName="pods", NodeId=new)["NodeDetails"]
    assert (described["NodeLogicalId"], described["InstanceType"]) == (node["NodeLogicalId"], "ml.trn1.32xlarge")


@pytest.mark.parametrize(
    ("members", "instance_type"), [({"NodeRecovery": "None"}, "ml.trn1.32xlarge"), ({}, "ml.c5.xlarge")]
)
def test_a_node_without_recovery_or_accelerator_stays_failed_until_a_reboot(
    sagemaker: Any, on_eks: Parameters, local_aws: LocalAws, members: Parameters, instance_type: str
) -> None:
    (group,) = on_eks["InstanceGroups"]
    sagemaker.create_cluster(**on_eks | members | {"InstanceGroups": [{**group, "InstanceType": instance_type}]})
    first, second = statuses(sagemaker)
    with local_aws.faults.failing_node(first):
        assert statuses(sagemaker)[first] == "Failure"
    assert statuses(sagemaker) == {first: "Failure", second: "Running"}
    sagemaker.batch_reboot_cluster_nodes(ClusterName="pods", NodeIds=[first])
    assert statuses(sagemaker) == {first: "Running", second: "Running"}


def test_a_new_cluster_fails_whose_nodes_do_not_pass_deep_health_checks(
    sagemaker: Any, on_eks: Parameters, local_aws: LocalAws
) -> None:
    (group,) = on_eks["InstanceGroups"]
    checked = on_eks | {"InstanceGroups": [{**group, "OnStartDeepHealthChecks": CHECKS}]}
    with local_aws.faults.failing_health_checks("trn1") as fault:
        sagemaker.create_cluster(**checked)
        made = sagemaker.describe_cluster(ClusterName="pods")
        assert (made["ClusterStatus"], made["FailureMessage"], fault.injected) == (
            "Failed",
            "Deep health checks did not run successfully",
            1,
        )
        sagemaker.delete_cluster(ClusterName="pods")
        sagemaker.create_cluster(**on_eks)  # without checks
        assert [*statuses(sagemaker).values()] == ["Running", "Running"]
    assert fault.injected == 1


def test_continuous_nodes_that_do_not_pass_deep_health_checks_are_replaced(
    sagemaker: Any, on_eks: Parameters, local_aws: LocalAws
) -> None:
    (group,) = on_eks["InstanceGroups"]
    checked = on_eks | CONTINUOUS | {"InstanceGroups": [{**group, "OnStartDeepHealthChecks": CHECKS}]}
    with local_aws.faults.failing_health_checks("trn1"):
        sagemaker.create_cluster(**checked)
        failed = statuses(sagemaker)
        assert [*failed.values()] == ["Failure", "Failure"]
        assert last_events(sagemaker, 1) == [("Error", "Deep health checks did not run successfully")]
    after = statuses(sagemaker)
    assert (after.keys() & failed.keys(), [*after.values()]) == (set(), ["Running", "Running"])


def test_deep_health_checks_are_started_by_group_and_by_node(
    sagemaker: Any, on_eks: Parameters, local_aws: LocalAws
) -> None:
    arn = sagemaker.create_cluster(**on_eks | CONTINUOUS | {"NodeRecovery": "None"})["ClusterArn"]
    first, second = statuses(sagemaker)
    group = {"InstanceGroupName": "trn1", "DeepHealthChecks": CHECKS}
    answer = sagemaker.start_cluster_health_check(ClusterName="pods", DeepHealthCheckConfigurations=[group])
    assert (answer["ClusterArn"], statuses(sagemaker)) == (arn, {first: "Running", second: "Running"})
    assert last_events(sagemaker, 2) == [("Info", "Deep health checks passed")] * 2
    one = {**group, "InstanceIds": [second]}
    with local_aws.faults.failing_health_checks("trn1"):
        sagemaker.start_cluster_health_check(ClusterName=arn, DeepHealthCheckConfigurations=[one])
    assert statuses(sagemaker) == {first: "Running", second: "Failure"}
    sagemaker.start_cluster_health_check(ClusterName=arn, DeepHealthCheckConfigurations=[one])
    assert statuses(sagemaker) == {first: "Running", second: "Running"}


def test_deep_health_checks_of_absent_groups_and_nodes_are_rejected(
    sagemaker: Any, on_eks: Parameters, refused: Refused
) -> None:
    sagemaker.create_cluster(**on_eks)
    absent = {"InstanceGroupName": "absent", "DeepHealthChecks": CHECKS}
    node = {**absent, "InstanceGroupName": "trn1", "InstanceIds": ["i-00000000000000000"]}

    def asked(name: str, configuration: Parameters) -> tuple[str, str]:
        parameters = {"ClusterName": name, "DeepHealthCheckConfigurations": [configuration]}
        return refused(sagemaker.start_cluster_health_check, **parameters)

    assert asked("pods", absent) == ("ValidationException", "Instance group absent of cluster pods does not exist")
    assert asked("pods", node) == ("ResourceNotFound", "Node i-00000000000000000 of cluster pods does not exist")
    assert asked("absent", absent) == ("ResourceNotFound", "Cluster absent does not exist")


def test_a_replaced_and_a_rebooted_node_have_events(sagemaker: Any, on_eks: Parameters) -> None:
    sagemaker.create_cluster(**on_eks | CONTINUOUS)
    first, second = statuses(sagemaker)
    sagemaker.batch_reboot_cluster_nodes(ClusterName="pods", NodeIds=[first])
    assert last_events(sagemaker, 1) == [("Info", "The instance is rebooted")]
    sagemaker.batch_replace_cluster_nodes(ClusterName="pods", NodeIds=[second])
    assert last_events(sagemaker, 2) == [("Warn", "The instance is replaced"), ("Info", "The instance runs")]
    sagemaker.batch_delete_cluster_nodes(ClusterName="pods", NodeIds=[first])
    assert last_events(sagemaker, 1) == [("Info", "The instance is terminated")]


@pytest.mark.parametrize("repair", ["batch_reboot_cluster_nodes", "batch_replace_cluster_nodes"])
def test_a_node_whose_repair_lasts_is_pending_and_is_not_repaired_again(
    sagemaker: Any, on_eks: Parameters, local_aws: LocalAws, repair: str
) -> None:
    sagemaker.create_cluster(**on_eks | CONTINUOUS)
    first, second = statuses(sagemaker)
    local_aws.delays.node_repair = timedelta(minutes=10)
    getattr(sagemaker, repair)(ClusterName="pods", NodeIds=[first])
    (pending,) = statuses(sagemaker).keys() - {second}
    assert statuses(sagemaker) == {pending: "Pending", second: "Running"}
    for again in (sagemaker.batch_reboot_cluster_nodes, sagemaker.batch_replace_cluster_nodes):
        answer = again(ClusterName="pods", NodeIds=[pending])
        assert (answer["Successful"], answer["Failed"][0]["ErrorCode"]) == ([], "InvalidInstanceStatus")
    local_aws.clock.advance(timedelta(minutes=10))
    assert statuses(sagemaker) == {pending: "Running", second: "Running"}
    assert (pending == first) is (repair == "batch_reboot_cluster_nodes")


def test_the_controller_of_slurm_is_rebooted_and_not_replaced(sagemaker: Any, on_eks: Parameters) -> None:
    (group,) = on_eks["InstanceGroups"]
    controller = {**group, "SlurmConfig": {"NodeType": "Controller"}}
    sagemaker.create_cluster(**on_eks | {"Orchestrator": {"Slurm": {}}, "InstanceGroups": [controller]})
    first, *_ = statuses(sagemaker)
    answer = sagemaker.batch_replace_cluster_nodes(ClusterName="pods", NodeIds=[first])
    assert (answer["Successful"], answer["Failed"][0]["ErrorCode"]) == ([], "InvalidInstanceStatus")
    assert sagemaker.batch_reboot_cluster_nodes(ClusterName="pods", NodeIds=[first])["Successful"] == [first]


def test_a_software_update_has_an_event(sagemaker: Any, on_eks: Parameters) -> None:
    sagemaker.create_cluster(**on_eks | CONTINUOUS)
    sagemaker.update_cluster_software(ClusterName="pods")
    assert last_events(sagemaker, 1) == [("Info", "The software of instance group trn1 is updated")]


def test_faults_of_misspelled_nodes_and_groups_are_rejected(local_aws: LocalAws) -> None:
    with pytest.raises(ValueError, match="no node of HyperPod has the id 'trn1'"):
        local_aws.faults.failing_node("trn1")
    with pytest.raises(ValueError, match="no group of HyperPod has the name 'trn_1'"):
        local_aws.faults.failing_health_checks("trn_1")
