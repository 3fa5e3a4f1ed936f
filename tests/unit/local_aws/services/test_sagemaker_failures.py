"""HyperPod clusters whose nodes do not start: SageMaker takes the request, and the cluster fails."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from local_aws.server import LocalAws
from tests.unit.local_aws import hyperpod

EFA = "EFA health checks did not run successfully"
SCRIPTS = "Lifecycle scripts did not run successfully"
NETWORK = "Instance bootstrap failed due to network misconfiguration"
CAPACITY = "Insufficient capacity in the Availability Zone"
CONTINUOUS = {"NodeProvisioningMode": "Continuous"}


def outcome(sagemaker: Any, parameters: dict[str, Any]) -> tuple[str, str | None]:
    """Status and failure of a new cluster; the cluster is deleted."""
    sagemaker.create_cluster(**parameters)
    made = sagemaker.describe_cluster(ClusterName=parameters["ClusterName"])
    sagemaker.delete_cluster(ClusterName=parameters["ClusterName"])
    return made["ClusterStatus"], made.get("FailureMessage")


def with_group(parameters: dict[str, Any], **members: Any) -> dict[str, Any]:
    """The parameters with other members of their group."""
    return {**parameters, "InstanceGroups": [{**parameters["InstanceGroups"][0], **members}]}


def with_network(parameters: dict[str, Any], **members: Any) -> dict[str, Any]:
    return {**parameters, "VpcConfig": {**parameters["VpcConfig"], **members}}


@pytest.fixture
def public_subnet(client: Callable[[str], Any], ground: Any) -> Iterator[str]:
    """The first subnet, with a route to an internet gateway for the time of a test."""
    ec2, subnet = client("ec2"), ground.subnets[0]
    gateway = ec2.create_internet_gateway()["InternetGateway"]["InternetGatewayId"]
    ec2.attach_internet_gateway(InternetGatewayId=gateway, VpcId=ground.vpc)
    table = ec2.create_route_table(VpcId=ground.vpc)["RouteTable"]["RouteTableId"]
    ec2.create_route(RouteTableId=table, DestinationCidrBlock="0.0.0.0/0", GatewayId=gateway)
    association = ec2.associate_route_table(RouteTableId=table, SubnetId=subnet)["AssociationId"]
    yield subnet
    ec2.disassociate_route_table(AssociationId=association)
    ec2.delete_route_table(RouteTableId=table)
    ec2.detach_internet_gateway(InternetGatewayId=gateway, VpcId=ground.vpc)


@pytest.mark.parametrize("directions", [{"ingress": False}, {"egress": False}])
def test_neuron_nodes_fail_without_all_traffic_of_their_group_in_each_direction(
    sagemaker: Any, on_eks: Any, ground: Any, client: Any, directions: dict[str, bool]
) -> None:
    group = hyperpod.make_group(client, ground.vpc, **directions)
    parameters = with_network(on_eks, SecurityGroupIds=[group])
    assert outcome(sagemaker, parameters) == ("Failed", EFA)
    both = with_network(on_eks, SecurityGroupIds=[*on_eks["VpcConfig"]["SecurityGroupIds"], group])
    assert outcome(sagemaker, both) == ("Failed", EFA)  # every group of the interface needs the rules
    assert outcome(sagemaker, with_group(parameters, InstanceType="ml.c5.xlarge")) == ("InService", None)
    assert outcome(sagemaker, with_group(parameters, InstanceCount=0)) == ("InService", None)


def test_a_failed_cluster_has_no_nodes_and_can_only_be_deleted(
    sagemaker: Any, on_eks: Any, ground: Any, eks: Any, refused: Callable[..., tuple[str, str]]
) -> None:
    sagemaker.create_cluster(**with_network(on_eks, SecurityGroupIds=[ground.group]))
    made = sagemaker.describe_cluster(ClusterName="pods")
    (group,) = made["InstanceGroups"]
    assert (made["ClusterStatus"], group["Status"], group["CurrentCount"], group["TargetCount"]) == (
        "Failed",
        "Failed",
        0,
        2,
    )
    assert sagemaker.list_cluster_nodes(ClusterName="pods")["ClusterNodeSummaries"] == []
    answer = ("ConflictException", "The status of cluster pods is Failed")
    assert refused(sagemaker.update_cluster, ClusterName="pods", InstanceGroups=on_eks["InstanceGroups"]) == answer
    assert refused(sagemaker.update_cluster_software, ClusterName="pods") == answer
    sagemaker.delete_cluster(ClusterName="pods")
    assert eks.list_access_entries(clusterName="trn")["accessEntries"] == []


def test_nodes_in_a_public_subnet_fail(sagemaker: Any, on_eks: Any, public_subnet: str) -> None:
    assert on_eks["VpcConfig"]["Subnets"] == [public_subnet]
    assert outcome(sagemaker, on_eks) == ("Failed", NETWORK)


def test_neuron_nodes_are_in_one_zone(sagemaker: Any, on_eks: Any, ground: Any) -> None:
    several = with_network(on_eks, Subnets=ground.subnets)
    assert outcome(sagemaker, several) == ("Failed", "No subnets in the capacity AZ")
    assert outcome(sagemaker, with_group(several, OverrideVpcConfig=on_eks["VpcConfig"])) == ("InService", None)
    assert outcome(sagemaker, with_group(several, InstanceType="ml.c5.xlarge")) == ("InService", None)


@pytest.mark.parametrize(
    ("uri", "role"),
    [
        ("s3://sagemaker-absent/nodes", hyperpod.ROLE),
        ("s3://sagemaker-scripts/elsewhere", hyperpod.ROLE),
        ("s3://scripts-of-others/nodes", hyperpod.ROLE),
        ("s3://sagemaker-scripts/nodes", "without-policies"),
    ],
)
def test_nodes_fail_whose_script_is_absent_or_not_readable(
    sagemaker: Any, on_eks: Any, client: Any, uri: str, role: str
) -> None:
    arn = hyperpod.make_role(client, role)
    if role != hyperpod.ROLE:
        client("iam").detach_role_policy(RoleName=role, PolicyArn=hyperpod.NODE_POLICY)
    hyperpod.make_script(client, "scripts-of-others")  # which AmazonSageMakerClusterInstanceRolePolicy does not allow
    script = {**hyperpod.SCRIPT, "SourceS3Uri": uri}
    assert outcome(sagemaker, with_group(on_eks, LifeCycleConfig=script, ExecutionRole=arn)) == ("Failed", SCRIPTS)


def test_nodes_in_eks_fail_whose_role_makes_no_interfaces(sagemaker: Any, on_eks: Any, client: Any) -> None:
    arn = hyperpod.make_role(client, "without-interfaces")
    client("iam").delete_role_policy(RoleName="without-interfaces", PolicyName=hyperpod.NETWORK_POLICY)
    message = "You are not authorized to perform this operation"
    assert outcome(sagemaker, with_group(on_eks, ExecutionRole=arn)) == ("Failed", message)


def test_a_bucket_may_let_the_role_read(sagemaker: Any, on_eks: Any, client: Any) -> None:
    hyperpod.make_script(client, "scripts-by-policy")
    arn = on_eks["InstanceGroups"][0]["ExecutionRole"]
    statement = {
        "Effect": "Allow",
        "Principal": {"AWS": arn},
        "Action": "s3:GetObject",
        "Resource": "arn:aws:s3:::scripts-by-policy/*",
    }
    policy = hyperpod.document(statement)
    client("s3").put_bucket_policy(Bucket="scripts-by-policy", Policy=policy)
    script = {**hyperpod.SCRIPT, "SourceS3Uri": "s3://scripts-by-policy/nodes/"}
    assert outcome(sagemaker, with_group(on_eks, LifeCycleConfig=script)) == ("InService", None)


def test_too_few_machines_fail_a_new_cluster(sagemaker: Any, on_eks: Any, local_aws: LocalAws) -> None:
    with local_aws.faults.scarce("trn1.32xlarge", available=1) as scarcity:
        assert outcome(sagemaker, on_eks) == ("Failed", CAPACITY)
    assert scarcity.injected == 1


def test_an_update_whose_nodes_fail_takes_everything_back(
    sagemaker: Any, on_eks: Any, eks: Any, client: Any, local_aws: LocalAws
) -> None:
    sagemaker.create_cluster(**on_eks)
    before = sagemaker.describe_cluster(ClusterName="pods")
    nodes = sagemaker.list_cluster_nodes(ClusterName="pods")["ClusterNodeSummaries"]
    (group,) = on_eks["InstanceGroups"]
    script = {**hyperpod.SCRIPT, "OnCreate": "absent.sh"}
    role = hyperpod.make_role(client, "hyperpod-others")
    more = {**group, "InstanceGroupName": "more", "LifeCycleConfig": script, "ExecutionRole": role}
    sagemaker.update_cluster(ClusterName="pods", InstanceGroups=[{**group, "InstanceCount": 3}, more])
    assert sagemaker.describe_cluster(ClusterName="pods") | {"ResponseMetadata": None} == {
        **before,
        "FailureMessage": SCRIPTS,
        "ResponseMetadata": None,
    }
    assert sagemaker.list_cluster_nodes(ClusterName="pods")["ClusterNodeSummaries"] == nodes
    every_node = sagemaker.list_cluster_nodes(ClusterName="pods", IncludeNodeLogicalIds=True)["ClusterNodeSummaries"]
    assert [node["InstanceId"] for node in every_node] == [node["InstanceId"] for node in nodes]
    assert eks.list_access_entries(clusterName="trn")["accessEntries"] == [group["ExecutionRole"]]
    with local_aws.faults.scarce("trn1.32xlarge", available=2):  # of which both run
        sagemaker.update_cluster(ClusterName="pods", InstanceGroups=[{**group, "InstanceCount": 3}])
    assert sagemaker.describe_cluster(ClusterName="pods")["FailureMessage"] == CAPACITY
    sagemaker.update_cluster(ClusterName="pods", InstanceGroups=[{**group, "InstanceCount": 3}])
    after = sagemaker.describe_cluster(ClusterName="pods")
    assert ("FailureMessage" in after, after["InstanceGroups"][0]["CurrentCount"]) == (False, 3)


def test_the_first_cluster_makes_the_service_linked_role(
    sagemaker: Any, on_eks: Any, client: Any, refused: Callable[..., tuple[str, str]]
) -> None:
    iam = client("iam")
    sagemaker.create_cluster(**on_eks)
    sagemaker.delete_cluster(ClusterName="pods")
    sagemaker.create_cluster(**on_eks)
    role = iam.get_role(RoleName="AWSServiceRoleForSageMakerHyperPod")["Role"]
    assert role["Path"] == "/aws-service-role/hyperpod.sagemaker.amazonaws.com/"
    attached = iam.list_attached_role_policies(RoleName=role["RoleName"])["AttachedPolicies"]
    assert [each["PolicyName"] for each in attached] == ["AmazonSageMakerHyperPodServiceRolePolicy"]
    code, _ = refused(iam.create_service_linked_role, AWSServiceName="hyperpod.sagemaker.amazonaws.com")
    assert code == "EntityAlreadyExists"
    other = iam.create_service_linked_role(AWSServiceName="spot.amazonaws.com")["Role"]
    assert other["Path"] == "/aws-service-role/spot.amazonaws.com/"
