"""HyperPod clusters with continuous provisioning: nodes come later, and events say why they do not."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import timedelta
from typing import Any

import pytest

from local_aws.server import LocalAws
from local_aws.services.sagemaker import events
from tests.unit.local_aws import hyperpod

Refused = Callable[..., tuple[str, str]]
Parameters = dict[str, Any]
CAPACITY = "Insufficient capacity in the Availability Zone"
THREE_HOURS = timedelta(hours=3)


@pytest.fixture
def continuous(on_eks: Parameters, local_aws: LocalAws) -> Iterator[Parameters]:
    """The parameters of a cluster whose group has a minimum of two nodes; the clock is set back afterwards."""
    (group,) = on_eks["InstanceGroups"]
    yield {**on_eks, "NodeProvisioningMode": "Continuous", "InstanceGroups": [{**group, "MinInstanceCount": 2}]}
    local_aws.clock.reset()


@pytest.fixture
def counts(sagemaker: Any) -> Callable[[], tuple[int, int]]:
    """Target and present count of the first group."""

    def read() -> tuple[int, int]:
        group = sagemaker.describe_cluster(ClusterName="pods")["InstanceGroups"][0]
        listed = sagemaker.list_cluster_nodes(ClusterName="pods")["ClusterNodeSummaries"]
        assert group["CurrentCount"] == sum(node["InstanceGroupName"] == group["InstanceGroupName"] for node in listed)
        return group["TargetCount"], group["CurrentCount"]

    return read


def happened(sagemaker: Any, **filters: Any) -> list[tuple[str, str, str]]:
    """Level, kind of resource and description of events, the oldest first."""
    found = sagemaker.list_cluster_events(ClusterName="pods", SortOrder="Ascending", **filters)["Events"]
    return [(event["EventLevel"], event["ResourceType"], event["Description"]) for event in found]


def test_a_cluster_is_in_service_and_its_nodes_come_with_the_capacity(
    sagemaker: Any, continuous: Parameters, local_aws: LocalAws, counts: Any
) -> None:
    with local_aws.faults.scarce("trn1.32xlarge", available=1) as scarcity:
        sagemaker.create_cluster(**continuous)
        made = sagemaker.describe_cluster(ClusterName="pods")
        assert (made["ClusterStatus"], made["InstanceGroups"][0]["ActiveOperations"]) == ("InService", {"Scaling": 1})
        assert counts() == (2, 1)
        assert scarcity.injected == 1
        (wait,) = sagemaker.list_cluster_events(ClusterName="pods", ResourceType="InstanceGroup")["Events"][:1]
    details = sagemaker.describe_cluster_event(ClusterName="pods", EventId=wait["EventId"])["EventDetails"]
    assert (wait["EventLevel"], wait["Description"]) == ("Warn", "Instance group trn1 waits for 1 nodes")
    assert details["EventDetails"]["EventMetadata"]["InstanceGroupScaling"] == {
        "InstanceCount": 1,
        "TargetCount": 2,
        "MinCount": 2,
        "FailureMessage": CAPACITY,
    }
    assert counts() == (2, 2)
    assert "ActiveOperations" not in sagemaker.describe_cluster(ClusterName="pods")["InstanceGroups"][0]


def test_a_new_group_without_its_minimum_goes_back_to_none_after_three_hours(
    sagemaker: Any, continuous: Parameters, local_aws: LocalAws, counts: Any
) -> None:
    with local_aws.faults.scarce("trn1.32xlarge", available=1):
        sagemaker.create_cluster(**continuous)
        local_aws.clock.advance(THREE_HOURS - timedelta(minutes=1))
        assert counts() == (2, 1)
        local_aws.clock.advance(timedelta(minutes=2))
        assert counts() == (0, 0)
    assert counts() == (0, 0)
    level, kind, text = happened(sagemaker, ResourceType="InstanceGroup")[-1]
    assert (level, kind, text) == ("Error", "InstanceGroup", "Instance group trn1 is back at 0 nodes")


def test_a_group_that_grew_without_its_minimum_goes_back_to_its_former_count(
    sagemaker: Any, continuous: Parameters, local_aws: LocalAws, counts: Any
) -> None:
    sagemaker.create_cluster(**continuous)
    (group,) = continuous["InstanceGroups"]
    with local_aws.faults.scarce("trn1.32xlarge", available=3):  # of which two run
        for target in (4, 5):
            more = {**group, "InstanceCount": target, "MinInstanceCount": 4}
            sagemaker.update_cluster(ClusterName="pods", InstanceGroups=[more])
            assert counts() == (target, 3)
        local_aws.clock.advance(THREE_HOURS)
        assert counts() == (2, 2)


def test_a_group_with_its_minimum_waits_for_the_rest(
    sagemaker: Any, continuous: Parameters, local_aws: LocalAws, counts: Any
) -> None:
    (group,) = continuous["InstanceGroups"]
    with local_aws.faults.scarce("trn1.32xlarge", available=1):
        sagemaker.create_cluster(**continuous | {"InstanceGroups": [{**group, "MinInstanceCount": 1}]})
        local_aws.clock.advance(THREE_HOURS)
        assert counts() == (2, 1)
    assert counts() == (2, 2)


def test_another_type_of_a_flexible_group_is_started_where_the_first_is_scarce(
    sagemaker: Any, continuous: Parameters, local_aws: LocalAws
) -> None:
    (group,) = continuous["InstanceGroups"]
    del group["InstanceType"]
    types = {"InstanceRequirements": {"InstanceTypes": ["ml.trn1.32xlarge", "ml.trn1n.32xlarge"]}}
    with local_aws.faults.scarce("trn1.32xlarge", available=1):
        sagemaker.create_cluster(**continuous | {"InstanceGroups": [{**group, **types}]})
        listed = sagemaker.list_cluster_nodes(ClusterName="pods")["ClusterNodeSummaries"]
    assert [node["InstanceType"] for node in listed] == ["ml.trn1.32xlarge", "ml.trn1n.32xlarge"]


def test_nodes_that_do_not_start_degrade_their_group_until_the_reason_is_gone(
    sagemaker: Any, continuous: Parameters, client: Any, counts: Any
) -> None:
    (group,) = continuous["InstanceGroups"]
    script = {**hyperpod.SCRIPT, "OnCreate": "later.sh"}
    sagemaker.create_cluster(**continuous | {"InstanceGroups": [{**group, "LifeCycleConfig": script}]})
    made = sagemaker.describe_cluster(ClusterName="pods")
    assert (made["ClusterStatus"], made["InstanceGroups"][0]["Status"]) == ("InService", "Degraded")
    assert counts() == (2, 0)
    client("s3").put_object(Bucket=hyperpod.BUCKET, Key="nodes/later.sh", Body=b"")
    assert counts() == (2, 2)
    assert sagemaker.describe_cluster(ClusterName="pods")["InstanceGroups"][0]["Status"] == "InService"
    client("s3").delete_object(Bucket=hyperpod.BUCKET, Key="nodes/later.sh")


def test_a_network_that_is_deleted_while_nodes_wait_degrades_their_group(
    sagemaker: Any, continuous: Parameters, client: Any, local_aws: LocalAws
) -> None:
    with local_aws.faults.scarce("trn1.32xlarge"):
        sagemaker.create_cluster(**continuous)
        client("ec2").delete_security_group(GroupId=continuous["VpcConfig"]["SecurityGroupIds"][0])
    (group,) = sagemaker.describe_cluster(ClusterName="pods")["InstanceGroups"]
    assert (group["Status"], group["CurrentCount"]) == ("Degraded", 0)
    newest, *_ = sagemaker.list_cluster_events(ClusterName="pods")["Events"]
    details = sagemaker.describe_cluster_event(ClusterName="pods", EventId=newest["EventId"])["EventDetails"]
    failure = details["EventDetails"]["EventMetadata"]["InstanceGroupScaling"]["FailureMessage"]
    assert failure == "Instance bootstrap failed due to network misconfiguration"


def test_a_slurm_cluster_without_its_controller_fails(
    sagemaker: Any, continuous: Parameters, local_aws: LocalAws
) -> None:
    del continuous["Orchestrator"], continuous["InstanceGroups"][0]["MinInstanceCount"]
    (group,) = continuous["InstanceGroups"]
    groups = [
        {**group, "InstanceGroupName": "controller", "SlurmConfig": {"NodeType": "Controller"}},
        {**group, "SlurmConfig": {"NodeType": "Compute", "PartitionNames": ["training"]}},
    ]
    slurm = {**continuous, "Orchestrator": {"Slurm": {}}, "InstanceGroups": groups}
    with local_aws.faults.scarce("trn1.32xlarge"):
        sagemaker.create_cluster(**slurm | {"ClusterName": "none"})
    made = sagemaker.describe_cluster(ClusterName="none")
    assert (made["ClusterStatus"], made["FailureMessage"]) == ("Failed", CAPACITY)
    with local_aws.faults.scarce("trn1.32xlarge", available=2):
        sagemaker.create_cluster(**slurm)
        assert sagemaker.describe_cluster(ClusterName="pods")["ClusterStatus"] == "InService"


def test_events_say_what_happened_to_the_cluster_its_groups_and_its_nodes(
    sagemaker: Any, continuous: Parameters, local_aws: LocalAws
) -> None:
    sagemaker.create_cluster(**continuous)
    instance = ("Info", "Instance", "The instance runs")
    assert happened(sagemaker) == [
        ("Info", "Cluster", "Cluster pods is created"),
        ("Info", "InstanceGroup", "Instance group trn1 is created"),
        instance,
        instance,
    ]
    assert happened(sagemaker, ResourceType="Instance") == [instance, instance]
    assert happened(sagemaker, InstanceGroupName="other") == []
    newest, *_ = sagemaker.list_cluster_events(ClusterName="pods")["Events"]
    node = newest["InstanceId"]
    assert happened(sagemaker, NodeId=node) == [instance]
    described = sagemaker.describe_cluster_event(ClusterName="pods", EventId=newest["EventId"])["EventDetails"]
    assert described == newest
    (group,) = continuous["InstanceGroups"]
    local_aws.clock.advance(timedelta(minutes=2))
    sagemaker.update_cluster(ClusterName="pods", InstanceGroups=[{**group, "InstanceCount": 2, "MinInstanceCount": 1}])
    sagemaker.update_cluster(ClusterName="pods", InstanceGroups=[{**group, "InstanceCount": 1, "MinInstanceCount": 0}])
    then = newest["EventTime"] + timedelta(minutes=1)
    assert happened(sagemaker, EventTimeAfter=then) == [
        ("Info", "InstanceGroup", "Instance group trn1 scales to 1 nodes"),
        ("Info", "Instance", "The instance is terminated"),
    ]
    assert len(happened(sagemaker, EventTimeBefore=then)) == 4


def test_events_come_in_pages_and_the_oldest_are_forgotten(sagemaker: Any, continuous: Parameters) -> None:
    (group,) = continuous["InstanceGroups"]
    sagemaker.create_cluster(**continuous | {"InstanceGroups": [{**group, "InstanceCount": events.KEPT + 10}]})
    pages = list(sagemaker.get_paginator("list_cluster_events").paginate(ClusterName="pods"))
    assert [len(page["Events"]) for page in pages] == [100] * (events.KEPT // 100)
    assert {event["ResourceType"] for page in pages for event in page["Events"]} == {"Instance"}


def test_events_are_of_clusters_with_continuous_provisioning(
    sagemaker: Any, on_eks: Parameters, refused: Refused
) -> None:
    sagemaker.create_cluster(**on_eks)
    code, message = refused(sagemaker.list_cluster_events, ClusterName="pods")
    assert (code, message) == (
        "ValidationException",
        "ListClusterEvents needs NodeProvisioningMode Continuous, which cluster pods does not have",
    )
    sagemaker.update_cluster(ClusterName="pods", NodeProvisioningMode="Continuous")
    event = "11111111-1111-1111-1111-111111111111"
    answer = refused(sagemaker.describe_cluster_event, ClusterName="pods", EventId=event)
    assert answer == ("ResourceNotFound", f"Event {event} of cluster pods does not exist")
    assert sagemaker.list_cluster_events(ClusterName="pods", OperationId=event)["Events"] == []
    answer = refused(sagemaker.list_cluster_events, ClusterName="absent")
    assert answer == ("ResourceNotFound", "Cluster absent does not exist")
