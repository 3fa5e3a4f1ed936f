"""HyperPod clusters: what a request makes, changes and deletes, and which requests are rejected."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from local_aws.server import LocalAws

Refused = Callable[..., tuple[str, str]]
ROLE = "arn:aws:iam::300000000000:role/hyperpod-nodes"
OTHER_ROLE = "arn:aws:iam::300000000000:role/hyperpod-others"
SCRIPT = {"SourceS3Uri": "s3://sagemaker-scripts", "OnCreate": "on_create.sh"}
GROUP = {
    "InstanceGroupName": "trn1",
    "InstanceType": "ml.trn1.32xlarge",
    "InstanceCount": 2,
    "ExecutionRole": ROLE,
    "LifeCycleConfig": SCRIPT,
}
SLURM_GROUPS = [
    {**GROUP, "InstanceGroupName": "controller", "SlurmConfig": {"NodeType": "Controller"}},
    {**GROUP, "SlurmConfig": {"NodeType": "Compute", "PartitionNames": ["training"]}},
]


@pytest.fixture
def sagemaker(client: Callable[[str], Any]) -> Any:
    return client("sagemaker")


@pytest.fixture
def on_eks(ground: Any, cluster: dict[str, Any]) -> dict[str, Any]:
    """The parameters of a cluster that Amazon EKS orchestrates."""
    return {
        "ClusterName": "pods",
        "Orchestrator": {"Eks": {"ClusterArn": cluster["arn"]}},
        "VpcConfig": {"Subnets": ground.subnets[:1], "SecurityGroupIds": [ground.group]},
        "InstanceGroups": [GROUP],
    }


@pytest.fixture
def on_slurm() -> dict[str, Any]:
    return {"ClusterName": "jobs", "Orchestrator": {"Slurm": {}}, "InstanceGroups": SLURM_GROUPS}


def entries(eks: Any) -> list[str]:
    return list(eks.list_access_entries(clusterName="trn")["accessEntries"])


def nodes(sagemaker: Any, cluster: str = "pods") -> dict[str, str]:
    """The group of each node by id."""
    listed = sagemaker.list_cluster_nodes(ClusterName=cluster)["ClusterNodeSummaries"]
    return {node["InstanceId"]: node["InstanceGroupName"] for node in listed}


def test_a_cluster_has_its_nodes_and_lets_their_role_into_eks(
    sagemaker: Any, eks: Any, client: Any, on_eks: Any
) -> None:
    arn = sagemaker.create_cluster(**on_eks)["ClusterArn"]
    made = sagemaker.describe_cluster(ClusterName=arn)
    (group,) = made["InstanceGroups"]
    assert (made["ClusterName"], made["ClusterStatus"], made["Orchestrator"]) == (
        "pods",
        "InService",
        on_eks["Orchestrator"],
    )
    assert (group["TargetCount"], group["CurrentCount"], group["Status"]) == (2, 2, "InService")
    assert [each["ClusterName"] for each in sagemaker.list_clusters()["ClusterSummaries"]] == ["pods"]
    assert [*nodes(sagemaker).values()] == ["trn1", "trn1"]
    node = sagemaker.describe_cluster_node(ClusterName="pods", NodeId=next(iter(nodes(sagemaker))))["NodeDetails"]
    assert (node["InstanceType"], node["InstanceStatus"]["Status"]) == ("ml.trn1.32xlarge", "Running")
    entry = eks.describe_access_entry(clusterName="trn", principalArn=ROLE)["accessEntry"]
    assert entry["type"] == "HYPERPOD_LINUX"
    prefix = f"/aws/sagemaker/Clusters/pods/{arn.rpartition('/')[2]}"
    assert client("logs").describe_log_groups(logGroupNamePrefix=prefix)["logGroups"]


def test_an_update_changes_groups_that_it_names_and_keeps_the_others(sagemaker: Any, eks: Any, on_eks: Any) -> None:
    sagemaker.create_cluster(**on_eks)
    first = nodes(sagemaker)
    more = {**GROUP, "InstanceGroupName": "more", "InstanceCount": 1, "ExecutionRole": OTHER_ROLE}
    sagemaker.update_cluster(ClusterName="pods", InstanceGroups=[more])
    assert [*nodes(sagemaker).values()] == ["trn1", "trn1", "more"]
    assert {*first} <= {*nodes(sagemaker)}
    assert {ROLE, OTHER_ROLE} <= {*entries(eks)}
    sagemaker.update_cluster(ClusterName="pods", InstanceGroups=[{**GROUP, "InstanceCount": 1}])
    assert next(iter(nodes(sagemaker))) == next(iter(first))
    assert [*nodes(sagemaker).values()] == ["trn1", "more"]
    sagemaker.update_cluster(ClusterName="pods", InstanceGroupsToDelete=["trn1"])
    assert [*nodes(sagemaker).values()] == ["more"]
    assert (ROLE in entries(eks), OTHER_ROLE in entries(eks)) == (False, True)


def test_a_deleted_cluster_takes_its_access_entries_along(sagemaker: Any, eks: Any, on_eks: Any) -> None:
    sagemaker.create_cluster(**on_eks)
    sagemaker.delete_cluster(ClusterName="pods")
    assert (entries(eks), sagemaker.list_clusters()["ClusterSummaries"]) == ([], [])
    sagemaker.create_cluster(**on_eks)


def test_nodes_are_replaced_rebooted_and_deleted_by_id(sagemaker: Any, on_eks: Any) -> None:
    sagemaker.create_cluster(**on_eks)
    first, second = nodes(sagemaker)
    answer = sagemaker.batch_replace_cluster_nodes(ClusterName="pods", NodeIds=[first, "i-00000000000000000"])
    assert (answer["Successful"], answer["Failed"][0]["ErrorCode"]) == ([first], "InstanceIdNotFound")
    assert first not in nodes(sagemaker)
    assert [*nodes(sagemaker).values()] == ["trn1", "trn1"]
    assert sagemaker.batch_reboot_cluster_nodes(ClusterName="pods", NodeIds=[second])["Successful"] == [second]
    assert second in nodes(sagemaker)
    answer = sagemaker.batch_delete_cluster_nodes(ClusterName="pods", NodeIds=[second, "i-00000000000000000"])
    assert (answer["Successful"], answer["Failed"][0]["Code"]) == ([second], "NodeIdNotFound")
    (group,) = sagemaker.describe_cluster(ClusterName="pods")["InstanceGroups"]
    assert (group["TargetCount"], group["CurrentCount"], len(nodes(sagemaker))) == (1, 1, 1)


def test_an_update_of_software_sets_the_release_of_named_groups(sagemaker: Any, on_eks: Any) -> None:
    other = {**GROUP, "InstanceGroupName": "other"}
    sagemaker.create_cluster(**on_eks | {"InstanceGroups": [GROUP, other]})
    release = {"InstanceGroupName": "other", "ImageReleaseVersion": "1.0.2"}
    sagemaker.update_cluster_software(ClusterName="pods", InstanceGroups=[release])
    groups = sagemaker.describe_cluster(ClusterName="pods")["InstanceGroups"]
    assert [group.get("CurrentImageReleaseVersion") for group in groups] == [None, "1.0.2"]
    sagemaker.update_cluster_software(ClusterName="pods", ImageId="ami-12345678")
    groups = sagemaker.describe_cluster(ClusterName="pods")["InstanceGroups"]
    assert [group["CurrentImageId"] for group in groups] == ["ami-12345678", "ami-12345678"]


def test_continuous_provisioning_waits_for_capacity(
    sagemaker: Any, on_eks: Any, local_aws: LocalAws, refused: Refused
) -> None:
    with local_aws.faults.scarce("trn1.32xlarge", available=1):
        code, message = refused(sagemaker.create_cluster, **on_eks)
        assert (code, message) == (
            "ResourceLimitExceeded",
            "Insufficient capacity for instance type ml.trn1.32xlarge",
        )
        sagemaker.create_cluster(**on_eks, NodeProvisioningMode="Continuous")
    (group,) = sagemaker.describe_cluster(ClusterName="pods")["InstanceGroups"]
    assert (group["TargetCount"], group["CurrentCount"]) == (2, 1)


EBS = {"EbsVolumeConfig": {"RootVolume": True, "VolumeSizeInGB": 100}}
SPOT: dict[str, Any] = {"CapacityRequirements": {"Spot": {}}}
PLAN = {"TrainingPlanArn": "arn:aws:sagemaker:us-west-2:300000000000:training-plan/p-1"}
LABELS = {"KubernetesConfig": {"Labels": {"node.kubernetes.io/team": "a"}}}
TAINTS = {
    "KubernetesConfig": {"Taints": [{"Key": "a", "Effect": "NoSchedule"}]},
    "OnStartDeepHealthChecks": ["InstanceStress"],
}
CONTINUOUS = {"NodeProvisioningMode": "Continuous"}
LABELED = {"KubernetesConfig": {"Labels": {"team": "a"}}}
LOGIN = {**GROUP, "SlurmConfig": {"NodeType": "Login"}}
MANAGED = {"Slurm": {"SlurmConfigStrategy": "Managed"}}


@pytest.mark.parametrize(
    ("members", "group", "text"),
    [
        ({"Orchestrator": {}}, {}, "Orchestrator has either Eks or Slurm"),
        ({"VpcConfig": None}, {}, "VpcConfig is required"),
        ({}, {"InstanceRequirements": {"InstanceTypes": ["ml.trn1.32xlarge"]}}, "either InstanceType or"),
        ({}, {"LifeCycleConfig": {**SCRIPT, "OnInitComplete": "b.sh"}}, "either OnCreate or OnInitComplete"),
        ({}, {"LifeCycleConfig": None}, "LifeCycleConfig is required for instance group trn1"),
        (CONTINUOUS, {"MinInstanceCount": 3}, "MinInstanceCount of instance group trn1 is greater"),
        ({}, {"MinInstanceCount": 1}, "need NodeProvisioningMode Continuous"),
        ({}, SPOT, "need NodeProvisioningMode Continuous"),
        ({}, TAINTS, "must not have"),
        ({}, LABELS, "Label node.kubernetes.io/team has a reserved prefix"),
        ({}, {"InstanceStorageConfigs": [EBS]}, "The root volume of instance group trn1 has a key and no size"),
        (CONTINUOUS, {**SPOT, **PLAN}, "one way of purchase"),
        ({}, {"SlurmConfig": {"NodeType": "Login"}}, "has SlurmConfig, and Amazon EKS orchestrates"),
        ({"AutoScaling": {"Mode": "Enable"}, **CONTINUOUS}, {}, "AutoScaling needs ClusterRole"),
        ({"InstanceGroups": [GROUP, GROUP]}, {}, "Instance group trn1 is listed twice"),
        ({"VpcConfig": {"Subnets": ["subnet-1"], "SecurityGroupIds": ["sg-1"]}}, {}, "subnet-1"),
    ],
)
def test_a_cluster_of_eks_is_rejected(
    sagemaker: Any, on_eks: Any, refused: Refused, members: dict[str, Any], group: dict[str, Any], text: str
) -> None:
    whole = {"InstanceGroups": [without_nothing({**GROUP, **group})], **members}
    code, message = refused(sagemaker.create_cluster, **without_nothing({**on_eks, **whole}))
    assert (code, text in message) == ("ValidationException", True), message


@pytest.mark.parametrize(
    ("members", "groups", "text"),
    [
        ({}, SLURM_GROUPS[1:], "A Slurm cluster has one group of NodeType Controller"),
        (
            {},
            [*SLURM_GROUPS, {**LOGIN, "InstanceGroupName": "a"}, {**LOGIN, "InstanceGroupName": "b"}],
            "at most one group of NodeType Login",
        ),
        ({}, [SLURM_GROUPS[0], {**GROUP, "SlurmConfig": {"NodeType": "Compute"}}], "a Compute group has one partition"),
        ({"Orchestrator": MANAGED, **CONTINUOUS}, SLURM_GROUPS, "SlurmConfigStrategy is not supported"),
        ({}, [SLURM_GROUPS[0], {**SLURM_GROUPS[1], **LABELED}], "has KubernetesConfig or Spot"),
        ({}, [SLURM_GROUPS[0], {**SLURM_GROUPS[1], "ImageReleaseVersion": "1.0.0"}], "has ImageReleaseVersion"),
    ],
)  # fmt: skip
def test_a_cluster_of_slurm_is_rejected(
    sagemaker: Any, on_slurm: Any, refused: Refused, members: dict[str, Any], groups: list[Any], text: str
) -> None:
    code, message = refused(sagemaker.create_cluster, **{**on_slurm, **members, "InstanceGroups": groups})
    assert (code, text in message) == ("ValidationException", True), message


def test_an_eks_cluster_orchestrates_one_cluster(sagemaker: Any, on_eks: Any, refused: Refused) -> None:
    sagemaker.create_cluster(**on_eks)
    answer = refused(sagemaker.create_cluster, **on_eks | {"ClusterName": "second"})
    assert answer == ("ResourceInUse", "EKS cluster trn orchestrates cluster pods already")


def test_an_eks_cluster_that_is_absent_or_elsewhere_is_rejected(
    sagemaker: Any, on_eks: Any, client: Any, refused: Refused
) -> None:
    absent = {"Eks": {"ClusterArn": "arn:aws:eks:us-west-2:300000000000:cluster/absent"}}
    answer = refused(sagemaker.create_cluster, **on_eks | {"Orchestrator": absent})
    assert answer == ("ValidationException", "No cluster found for name: absent.")
    ec2 = client("ec2")
    vpc = ec2.create_vpc(CidrBlock="10.9.0.0/16")["Vpc"]["VpcId"]
    subnet = ec2.create_subnet(VpcId=vpc, CidrBlock="10.9.1.0/24")["Subnet"]["SubnetId"]
    elsewhere = {"Subnets": [subnet], "SecurityGroupIds": ["sg-11111111"]}
    _, message = refused(sagemaker.create_cluster, **on_eks | {"VpcConfig": elsewhere})
    assert message.startswith(f"Subnet {subnet} is not in VPC ")


def test_an_eks_cluster_without_access_entries_is_rejected(
    sagemaker: Any, eks: Any, on_eks: Any, ground: Any, refused: Refused
) -> None:
    made = eks.create_cluster(
        name="old",
        version="1.34",
        roleArn=ground.cluster_role,
        resourcesVpcConfig={"subnetIds": ground.subnets},
        accessConfig={"authenticationMode": "CONFIG_MAP"},
    )
    old = {"Eks": {"ClusterArn": made["cluster"]["arn"]}}
    answer = refused(sagemaker.create_cluster, **on_eks | {"Orchestrator": old})
    assert answer == (
        "ValidationException",
        "The authentication mode of EKS cluster old must be API or API_AND_CONFIG_MAP",
    )


def test_members_that_no_update_changes_and_absent_groups_are_rejected(
    sagemaker: Any, on_eks: Any, refused: Refused
) -> None:
    sagemaker.create_cluster(**on_eks)
    groups = sagemaker.describe_cluster(ClusterName="pods")["InstanceGroups"]
    other = {**GROUP, "InstanceType": "ml.trn2.48xlarge"}
    _, message = refused(sagemaker.update_cluster, ClusterName="pods", InstanceGroups=[other])
    assert message == "InstanceType of instance group trn1 cannot be changed"
    assert sagemaker.describe_cluster(ClusterName="pods")["InstanceGroups"] == groups
    _, message = refused(sagemaker.update_cluster, ClusterName="pods", InstanceGroupsToDelete=["absent"])
    assert message == "Instance group absent of cluster pods does not exist"
    release = {"InstanceGroupName": "absent", "ImageReleaseVersion": "1.0.2"}
    _, message = refused(sagemaker.update_cluster_software, ClusterName="pods", InstanceGroups=[release])
    assert message == "Instance group absent of cluster pods does not exist"


def test_what_does_not_exist_is_not_found(sagemaker: Any, on_eks: Any, refused: Refused) -> None:
    assert refused(sagemaker.list_cluster_nodes, ClusterName="absent") == (
        "ResourceNotFound",
        "Cluster absent does not exist",
    )
    sagemaker.create_cluster(**on_eks)
    _, message = refused(sagemaker.describe_cluster_node, ClusterName="pods", NodeId="i-00000000000000000")
    assert message == "Node i-00000000000000000 of cluster pods does not exist"
    answer = refused(sagemaker.list_cluster_nodes, ClusterName="pods", NextToken="x")
    assert answer == ("ValidationException", "The value of NextToken is invalid")


def test_a_policy_is_for_a_cluster_of_eks_which_it_keeps_from_deletion(
    sagemaker: Any, on_eks: Any, on_slurm: Any, refused: Refused
) -> None:
    quota = {
        "Name": "research",
        "ComputeQuotaConfig": {"ComputeQuotaResources": [{"InstanceType": "ml.trn1.32xlarge", "Count": 1}]},
        "ComputeQuotaTarget": {"TeamName": "research"},
    }
    slurm = sagemaker.create_cluster(**on_slurm)["ClusterArn"]
    code, message = refused(sagemaker.create_compute_quota, **quota, ClusterArn=slurm)
    assert (code, "Slurm orchestrates cluster jobs" in message) == ("ValidationException", True)
    pods = sagemaker.create_cluster(**on_eks)["ClusterArn"]
    made = sagemaker.create_compute_quota(**quota, ClusterArn=pods)
    assert refused(sagemaker.delete_cluster, ClusterName="pods")[0] == "ConflictException"
    sagemaker.delete_compute_quota(ComputeQuotaId=made["ComputeQuotaId"])
    sagemaker.delete_cluster(ClusterName="pods")


def without_nothing(members: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in members.items() if value is not None}
