"""AWS::SageMaker::Cluster in stacks: made, changed in place, replaced, rejected and deleted."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any

import pytest
from botocore.exceptions import ClientError

from local_aws.clients import local_client
from local_aws.server import LocalAws
from tests.unit.local_aws import hyperpod

ACCOUNT, REGION = "200000000003", "us-west-2"
RELEASE = "ImageReleaseVersion"
Resources = dict[str, Any]


@pytest.fixture
def client(local_aws: LocalAws) -> Callable[[str], Any]:
    local_aws.empty()
    return lambda service: local_client(service, local_aws.endpoint, ACCOUNT, REGION)


@pytest.fixture
def sagemaker(client: Callable[[str], Any]) -> Any:
    return client("sagemaker")


@pytest.fixture
def bring(client: Callable[[str], Any]) -> Callable[..., tuple[str, list[str]]]:
    """Creates, updates or deletes the stack; gives its status and the reasons of failed resources."""
    cloudformation = client("cloudformation")

    def bring(verb: str, resources: Resources | None = None) -> tuple[str, list[str]]:
        body = {} if resources is None else {"TemplateBody": json.dumps({"Resources": resources})}
        stack = cloudformation.describe_stacks()["Stacks"]
        name = stack[0]["StackId"] if stack else "hyperpod"
        before = {each["EventId"] for each in events(name)} if stack else set()
        answer = getattr(cloudformation, f"{verb}_stack")(StackName=name, **body)
        stack_id = answer.get("StackId", name)
        while True:
            status: str = cloudformation.describe_stacks(StackName=stack_id)["Stacks"][0]["StackStatus"]
            if not status.endswith("IN_PROGRESS"):
                break
        failed = [
            each["ResourceStatusReason"]
            for each in events(stack_id)
            if each["ResourceStatus"].endswith("_FAILED") and each["EventId"] not in before
        ]
        return status, failed[::-1]

    def events(name: str) -> list[Any]:
        return list(cloudformation.describe_stack_events(StackName=name)["StackEvents"])

    return bring


@pytest.fixture
def network(client: Callable[[str], Any], make_ground: Callable[..., Any]) -> Mapping[str, Any]:
    ground = make_ground(client)
    hyperpod.make_script(client)
    hyperpod.make_role(client)
    client("eks").create_cluster(
        name="trn",
        version="1.34",
        roleArn=ground.cluster_role,
        resourcesVpcConfig={"subnetIds": ground.subnets},
        accessConfig={"authenticationMode": "API"},
    )
    return {"Subnets": ground.subnets[:1], "SecurityGroupIds": [hyperpod.make_group(client, ground.vpc)]}


@pytest.fixture
def template(network: Mapping[str, Any]) -> Resources:
    """The resources of a cluster with two groups, a compute quota and a scheduler configuration."""
    role = f"arn:aws:iam::{ACCOUNT}:role/{hyperpod.ROLE}"
    groups = [
        hyperpod.node_group(role, ImageReleaseVersion="1.0.1"),
        hyperpod.node_group(role, InstanceGroupName="cpu", InstanceType="ml.c5.xlarge", InstanceCount=1),
    ]
    arn = {"Fn::GetAtt": ["Cluster", "ClusterArn"]}
    quota = {
        "Name": "research",
        "ClusterArn": arn,
        "ComputeQuotaConfig": {"ComputeQuotaResources": [{"InstanceType": "ml.trn1.32xlarge", "Count": 1}]},
        "ComputeQuotaTarget": {"TeamName": "research"},
    }
    policy = {"Name": "policy", "ClusterArn": arn, "SchedulerConfig": {"FairShare": "Enabled"}}
    orchestrator = {"Eks": {"ClusterArn": f"arn:aws:eks:{REGION}:{ACCOUNT}:cluster/trn"}}
    cluster = {"ClusterName": "pods", "Orchestrator": orchestrator, "VpcConfig": network, "InstanceGroups": groups}
    return {
        "Cluster": {"Type": "AWS::SageMaker::Cluster", "Properties": cluster},
        "Quota": {"Type": "AWS::SageMaker::ComputeQuota", "Properties": quota},
        "Policy": {"Type": "AWS::SageMaker::ClusterSchedulerConfig", "Properties": policy},
    }


@pytest.fixture
def slurm(network: Mapping[str, Any]) -> Resources:
    role = f"arn:aws:iam::{ACCOUNT}:role/{hyperpod.ROLE}"
    controller = hyperpod.node_group(role, SlurmConfig={"NodeType": "Controller"})
    properties = {"ClusterName": "jobs", "Orchestrator": {"Slurm": {}}, "VpcConfig": network}
    return {
        "Cluster": {"Type": "AWS::SageMaker::Cluster", "Properties": {**properties, "InstanceGroups": [controller]}}
    }


def with_groups(template: Resources, *groups: Mapping[str, Any]) -> Resources:
    return with_properties(template, InstanceGroups=list(groups))


def with_properties(template: Resources, **properties: Any) -> Resources:
    cluster = template["Cluster"]
    return {**template, "Cluster": {**cluster, "Properties": {**cluster["Properties"], **properties}}}


def nodes(sagemaker: Any, cluster: str = "pods") -> dict[str, str]:
    """The group of each node by id."""
    listed = sagemaker.list_cluster_nodes(ClusterName=cluster)["ClusterNodeSummaries"]
    return {node["InstanceId"]: node["InstanceGroupName"] for node in listed}


def test_groups_scale_come_go_and_get_releases_in_place(sagemaker: Any, bring: Any, template: Resources) -> None:
    assert bring("create", template) == ("CREATE_COMPLETE", [])
    arn = sagemaker.describe_cluster(ClusterName="pods")["ClusterArn"]
    first = nodes(sagemaker)
    assert [*first.values()] == ["trn1", "trn1", "cpu"]
    trn1, cpu = template["Cluster"]["Properties"]["InstanceGroups"]
    with pytest.raises(ClientError, match="No updates are to be performed"):
        bring("update", template)
    more = {**trn1, "InstanceGroupName": "more"}
    assert bring("update", with_groups(template, {**trn1, "InstanceCount": 3}, cpu, more)) == ("UPDATE_COMPLETE", [])
    assert sorted(nodes(sagemaker).values()) == ["cpu", "more", "more", "trn1", "trn1", "trn1"]
    assert {*first} <= {*nodes(sagemaker)}
    assert bring("update", with_groups(template, {**trn1, "InstanceCount": 1, RELEASE: "1.0.2"})) == (
        "UPDATE_COMPLETE",
        [],
    )
    (group,) = sagemaker.describe_cluster(ClusterName=arn)["InstanceGroups"]
    assert (group["CurrentCount"], group[f"Current{RELEASE}"], group[f"Desired{RELEASE}"]) == (1, "1.0.2", "1.0.2")
    assert nodes(sagemaker) == {next(iter(first)): "trn1"}
    assert bring("delete") == ("DELETE_COMPLETE", [])  # the policies before the cluster
    assert sagemaker.list_clusters()["ClusterSummaries"] == []


def test_the_failure_of_nodes_is_the_reason_of_the_stack_event(
    sagemaker: Any, bring: Any, template: Resources, client: Callable[[str], Any]
) -> None:
    network = template["Cluster"]["Properties"]["VpcConfig"]
    subnet = client("ec2").describe_subnets(SubnetIds=network["Subnets"])["Subnets"][0]
    closed = hyperpod.make_group(client, subnet["VpcId"], ingress=False)
    failing = with_properties(template, VpcConfig={**network, "SecurityGroupIds": [closed]})
    status, reasons = bring("create", failing)
    assert status == "ROLLBACK_COMPLETE"
    assert reasons[0].startswith(
        'Resource handler returned message: "EFA health checks did not run successfully" (RequestToken: '
    )
    assert sagemaker.list_clusters()["ClusterSummaries"] == []


def test_an_update_whose_nodes_fail_is_rolled_back(
    sagemaker: Any, bring: Any, template: Resources, local_aws: LocalAws
) -> None:
    bring("create", template)
    first = nodes(sagemaker)
    trn1, cpu = template["Cluster"]["Properties"]["InstanceGroups"]
    with local_aws.faults.scarce("trn1.32xlarge", available=2):
        status, reasons = bring("update", with_groups(template, {**trn1, "InstanceCount": 3}, cpu))
    assert status == "UPDATE_ROLLBACK_COMPLETE"
    assert "Insufficient capacity in the Availability Zone" in reasons[0]
    assert nodes(sagemaker) == first
    assert "FailureMessage" not in sagemaker.describe_cluster(ClusterName="pods")


def test_nodes_that_come_later_let_the_stack_complete(
    sagemaker: Any, bring: Any, template: Resources, local_aws: LocalAws
) -> None:
    with local_aws.faults.scarce("trn1.32xlarge", available=1):
        assert bring("create", with_properties(template, NodeProvisioningMode="Continuous")) == ("CREATE_COMPLETE", [])
        assert [*nodes(sagemaker).values()] == ["trn1", "cpu"]
    assert sorted(nodes(sagemaker).values()) == ["cpu", "trn1", "trn1"]


def test_another_name_replaces_a_slurm_cluster(sagemaker: Any, bring: Any, slurm: Resources) -> None:
    bring("create", slurm)
    arn = sagemaker.describe_cluster(ClusterName="jobs")["ClusterArn"]
    assert bring("update", with_properties(slurm, ClusterName="others")) == ("UPDATE_COMPLETE", [])
    (cluster,) = sagemaker.list_clusters()["ClusterSummaries"]
    assert (cluster["ClusterName"], cluster["ClusterArn"] == arn) == ("others", False)


def test_an_eks_cluster_keeps_its_cluster_from_replacement(sagemaker: Any, bring: Any, template: Resources) -> None:
    bring("create", template)
    first = nodes(sagemaker)
    status, reasons = bring("update", with_properties(template, ClusterName="others"))
    assert status == "UPDATE_ROLLBACK_COMPLETE"
    assert "EKS cluster trn orchestrates cluster pods already" in reasons[0]
    assert nodes(sagemaker) == first


def test_a_policy_outside_of_the_stack_keeps_its_cluster(sagemaker: Any, bring: Any, template: Resources) -> None:
    bring("create", {"Cluster": template["Cluster"]})
    arn = sagemaker.describe_cluster(ClusterName="pods")["ClusterArn"]
    policy = template["Policy"]["Properties"] | {"ClusterArn": arn}
    made = sagemaker.create_cluster_scheduler_config(**policy)
    status, reasons = bring("delete")
    assert status == "DELETE_FAILED"
    assert "Cluster pods has a ClusterSchedulerConfig" in reasons[0]
    sagemaker.delete_cluster_scheduler_config(ClusterSchedulerConfigId=made["ClusterSchedulerConfigId"])
    assert bring("delete") == ("DELETE_COMPLETE", [])


def drifted(cloudformation: Any) -> dict[str, list[str]]:
    """Paths of properties with drift, by resource."""
    detection = cloudformation.detect_stack_drift(StackName="hyperpod")["StackDriftDetectionId"]
    asked = {"StackDriftDetectionId": detection}
    while True:
        status = cloudformation.describe_stack_drift_detection_status(**asked)
        if status["DetectionStatus"] != "DETECTION_IN_PROGRESS":
            break
    found = cloudformation.describe_stack_resource_drifts(StackName="hyperpod")["StackResourceDrifts"]
    return {
        each["LogicalResourceId"]: [difference["PropertyPath"] for difference in each["PropertyDifferences"]]
        for each in found
    }


def test_each_member_of_a_group_is_read_back(
    sagemaker: Any, bring: Any, template: Resources, client: Callable[[str], Any]
) -> None:
    trn1, cpu = template["Cluster"]["Properties"]["InstanceGroups"]
    rolling = {"MaximumBatchSize": {"Type": "INSTANCE_COUNT", "Value": 1}}
    whole = {
        **trn1,
        "MinInstanceCount": 1,
        "ThreadsPerCore": 2,
        "OnStartDeepHealthChecks": ["InstanceStress", "InstanceConnectivity"],
        "InstanceStorageConfigs": [{"EbsVolumeConfig": {"VolumeSizeInGB": 500}}],
        "KubernetesConfig": {"Labels": {"team": "research"}},
        "CapacityRequirements": {"OnDemand": {}},
        "OverrideVpcConfig": template["Cluster"]["Properties"]["VpcConfig"],
        "ScheduledUpdateConfig": {
            "ScheduleExpression": "cron(0 0 1 * ? *)",
            "DeploymentConfig": {"RollingUpdatePolicy": rolling, "WaitIntervalInSeconds": 60},
        },
        "AutoPatchConfig": {"PatchingStrategy": "WhenIdle"},
        "NetworkInterface": {"InterfaceType": "efa"},
    }
    continuous = with_properties(template, NodeProvisioningMode="Continuous")
    assert bring("create", with_groups(continuous, whole, cpu)) == ("CREATE_COMPLETE", [])
    assert drifted(client("cloudformation")) == {"Cluster": [], "Quota": [], "Policy": []}
    changed = {**whole, "OnStartDeepHealthChecks": ["InstanceStress"], "InstanceCount": 3}
    sagemaker.update_cluster(ClusterName="pods", InstanceGroups=[changed])
    paths = drifted(client("cloudformation"))["Cluster"]
    assert sorted(paths) == ["/InstanceGroups/0/InstanceCount", "/InstanceGroups/0/OnStartDeepHealthChecks/1"]
    taints = {"KubernetesConfig": {"Taints": [{"Key": "team", "Value": "a", "Effect": "NoSchedule"}]}}
    flexible = {name: value for name, value in cpu.items() if name != "InstanceType"}
    types = {"InstanceRequirements": {"InstanceTypes": ["ml.c5.xlarge", "ml.m5.xlarge"]}}
    other = {**flexible, **types, **taints, "InstanceGroupName": "flexible", "ImageId": "default"}
    assert bring("update", with_groups(continuous, other)) == ("UPDATE_COMPLETE", [])
    assert drifted(client("cloudformation"))["Cluster"] == []
