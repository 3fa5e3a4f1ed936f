"""HyperPod clusters: what a request makes, changes and deletes, and which requests are rejected."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from local_aws.server import LocalAws
from tests.every_case import every_case
from tests.unit.local_aws import hyperpod

Refused = Callable[..., tuple[str, str]]
ROLE = "arn:aws:iam::300000000000:role/hyperpod-nodes"
OTHER_ROLE = "arn:aws:iam::300000000000:role/hyperpod-others"
SCRIPT = hyperpod.SCRIPT
GROUP = hyperpod.node_group(ROLE)
SLURM_GROUPS = [
    {**GROUP, "InstanceGroupName": "controller", "SlurmConfig": {"NodeType": "Controller"}},
    {**GROUP, "SlurmConfig": {"NodeType": "Compute", "PartitionNames": ["training"]}},
]


@pytest.fixture
def on_slurm(client: Callable[[str], Any]) -> dict[str, Any]:
    hyperpod.make_script(client)
    hyperpod.make_role(client)
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


def test_an_update_changes_groups_that_it_names_and_keeps_the_others(
    sagemaker: Any, eks: Any, client: Any, on_eks: Any
) -> None:
    hyperpod.make_role(client, "hyperpod-others")
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
    answer = sagemaker.batch_delete_cluster_nodes(ClusterName="pods", NodeIds=[second, second, "i-00000000000000000"])
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


EBS = {"EbsVolumeConfig": {"RootVolume": True, "VolumeSizeInGB": 100}}
SPOT: dict[str, Any] = {"CapacityRequirements": {"Spot": {}}}
PLAN = {"TrainingPlanArn": "arn:aws:sagemaker:us-west-2:300000000000:training-plan/p-1"}
LABELS = {"KubernetesConfig": {"Labels": {"node.kubernetes.io/team": "a"}}}
TAINTS = {
    "KubernetesConfig": {"Taints": [{"Key": "a", "Effect": "NoSchedule"}]},
    "OnStartDeepHealthChecks": ["InstanceStress"],
}
TAINT = {"KubernetesConfig": {"Taints": [{"Key": "eks.amazonaws.com/a", "Effect": "NoSchedule"}]}}
CHECKS = {"OnStartDeepHealthChecks": ["InstanceStress"]}
LUSTRE = {"FsxLustreConfig": {"DnsName": "fs-12345678.fsx.us-west-2.amazonaws.com", "MountName": "abc"}}
DATABASE_LOGIN = "arn:aws:secretsmanager:us-west-2:300000000000:secret:db"
DATABASE = {"Slurm": {"AccountingDatabase": {"Endpoint": "db.internal", "SecretArn": DATABASE_LOGIN}}}
CONTINUOUS = {"NodeProvisioningMode": "Continuous"}
LABELED = {"KubernetesConfig": {"Labels": {"team": "a"}}}
LOGIN = {**GROUP, "SlurmConfig": {"NodeType": "Login"}}
MANAGED = {"Slurm": {"SlurmConfigStrategy": "Managed"}}


@every_case(
    "members, group, text",
    [
        ({"Orchestrator": {}}, {}, "Orchestrator has either Eks or Slurm"),
        ({"VpcConfig": None}, {}, "VpcConfig is required"),
        ({}, {"InstanceRequirements": {"InstanceTypes": ["ml.trn1.32xlarge"]}}, "either InstanceType or"),
        ({}, {"LifeCycleConfig": {**SCRIPT, "OnInitComplete": "b.sh"}}, "either OnCreate or OnInitComplete"),
        ({}, {"LifeCycleConfig": None}, "LifeCycleConfig is required for instance group trn1"),
        ({}, {"LifeCycleConfig": {"SourceS3Uri": SCRIPT["SourceS3Uri"]}}, "with SourceS3Uri and OnCreate"),
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
        ({}, TAINT, "Taint eks.amazonaws.com/a has a reserved prefix"),
        ({}, {"InstanceType": "ml.inf2.xlarge"}, "failed to satisfy constraint: Member must satisfy enum value set"),
        ({}, {"InstanceType": "ml.c5.xlarge", **CHECKS}, "trn1 has OnStartDeepHealthChecks, which instance type"),
        ({}, {"ImageReleaseVersion": "1.0.1", "ImageId": "ami-12345678"}, "has ImageReleaseVersion and a custom image"),
        ({}, {"InstanceStorageConfigs": [LUSTRE, LUSTRE]}, "trn1 has several file systems of a kind"),
        ({"AutoScaling": {"Mode": "Enable"}, **CONTINUOUS, "ClusterRole": ROLE}, CHECKS, "AutoScaling needs"),
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
        (CONTINUOUS, [SLURM_GROUPS[0], GROUP], "trn1 has no SlurmConfig"),
        (CONTINUOUS, [GROUP], "one group of NodeType Controller"),
        ({"Orchestrator": DATABASE}, SLURM_GROUPS, "AccountingDatabase needs"),
        ({}, [SLURM_GROUPS[0], {**SLURM_GROUPS[1], **CHECKS}], "trn1 has OnStartDeepHealthChecks"),
        ({}, [SLURM_GROUPS[0], {**SLURM_GROUPS[1], "InstanceStorageConfigs": [LUSTRE]}], "needs VpcConfig"),
    ],
)  # fmt: skip
def test_a_cluster_of_slurm_is_rejected(
    sagemaker: Any, on_slurm: Any, refused: Refused, members: dict[str, Any], groups: list[Any], text: str
) -> None:
    code, message = refused(sagemaker.create_cluster, **{**on_slurm, **members, "InstanceGroups": groups})
    assert (code, text in message) == ("ValidationException", True), message


def test_a_slurm_cluster_that_a_file_configures_has_no_slurm_config(sagemaker: Any, on_slurm: Any) -> None:
    legacy = [{**GROUP, "InstanceGroupName": "controller"}, GROUP]
    sagemaker.create_cluster(**on_slurm | {"InstanceGroups": legacy})
    assert [*nodes(sagemaker, "jobs").values()] == ["controller", "controller", "trn1", "trn1"]
    sagemaker.update_cluster(ClusterName="jobs", InstanceGroups=SLURM_GROUPS)


def test_networks_that_do_not_exist_are_rejected(sagemaker: Any, on_eks: Any, refused: Refused) -> None:
    network = on_eks["VpcConfig"]
    absent = {**network, "Subnets": ["subnet-1"]}
    code, message = refused(sagemaker.create_cluster, **on_eks | {"VpcConfig": absent})
    assert (code, "subnet-1" in message) == ("ValidationException", True)
    absent = {**network, "SecurityGroupIds": ["sg-11111111"]}
    answer = refused(sagemaker.create_cluster, **on_eks | {"VpcConfig": absent})
    assert answer == ("ValidationException", "The security group 'sg-11111111' does not exist")
    override = {"InstanceGroups": [{**GROUP, "OverrideVpcConfig": absent}]}
    assert refused(sagemaker.create_cluster, **on_eks | override) == answer


def test_a_role_that_does_not_exist_or_does_not_trust_sagemaker_is_rejected(
    sagemaker: Any, on_eks: Any, client: Any, refused: Refused
) -> None:
    absent, ec2 = ROLE.replace("nodes", "absent"), hyperpod.make_role(client, "of-ec2", "ec2.amazonaws.com")
    for role in (absent, ec2):
        groups = {"InstanceGroups": [{**GROUP, "ExecutionRole": role}]}
        answer = refused(sagemaker.create_cluster, **on_eks | groups)
        assert answer == ("ValidationException", f"Amazon SageMaker cannot assume the execution role {role}")
    sagemaker.create_cluster(**on_eks)
    assert refused(sagemaker.update_cluster, ClusterName="pods", **groups) == answer


def test_an_eks_cluster_that_is_not_active_is_rejected(
    sagemaker: Any, on_eks: Any, local_aws: LocalAws, account: str, refused: Refused
) -> None:
    local_aws.store.table(account, "us-west-2", "eks.clusters")["trn"]["status"] = "CREATING"
    answer = refused(sagemaker.create_cluster, **on_eks)
    assert answer == ("ValidationException", "The status of EKS cluster trn is CREATING, not ACTIVE")


@pytest.mark.parametrize(
    ("group", "text"),
    [
        ({"MinInstanceCount": 1}, "need NodeProvisioningMode Continuous"),
        ({"SlurmConfig": {"NodeType": "Login"}}, "has SlurmConfig, and Amazon EKS orchestrates"),
        ({"LifeCycleConfig": None}, "LifeCycleConfig is required for instance group more"),
    ],
)
def test_an_update_is_rejected_for_what_no_new_cluster_may_have(
    sagemaker: Any, on_eks: Any, refused: Refused, group: dict[str, Any], text: str
) -> None:
    sagemaker.create_cluster(**on_eks)
    more = without_nothing({**GROUP, "InstanceGroupName": "more", **group})
    code, message = refused(sagemaker.update_cluster, ClusterName="pods", InstanceGroups=[more])
    assert (code, text in message) == ("ValidationException", True), message
    assert [*nodes(sagemaker).values()] == ["trn1", "trn1"]


def test_an_update_resets_members_of_a_group_that_it_leaves_out(sagemaker: Any, on_eks: Any, refused: Refused) -> None:
    whole = {**GROUP, "ThreadsPerCore": 2, **CHECKS, **LABELED}
    sagemaker.create_cluster(**on_eks | CONTINUOUS | {"InstanceGroups": [whole], "NodeRecovery": "None"})
    sagemaker.update_cluster(ClusterName="pods", InstanceGroups=[GROUP])
    described = sagemaker.describe_cluster(ClusterName="pods")
    left_out = {"ThreadsPerCore", "OnStartDeepHealthChecks", "KubernetesConfig"}
    assert left_out & described["InstanceGroups"][0].keys() == set()
    assert described["NodeRecovery"] == "None"
    more = {**GROUP, "InstanceGroupName": "more"}
    sagemaker.update_cluster(ClusterName="pods", InstanceGroups=[{**more, **SPOT}])
    _, message = refused(sagemaker.update_cluster, ClusterName="pods", InstanceGroups=[more])
    assert message == "CapacityRequirements of instance group more cannot be changed"
    on_demand: dict[str, Any] = {"CapacityRequirements": {"OnDemand": {}}}
    sagemaker.update_cluster(ClusterName="pods", InstanceGroups=[{**GROUP, **on_demand}])


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
    elsewhere = {"Subnets": [subnet], "SecurityGroupIds": [hyperpod.make_group(client, vpc)]}
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
    _, message = refused(sagemaker.update_cluster, ClusterName="pods", InstanceGroups=[GROUP, GROUP])
    assert message == "Instance group trn1 is listed twice"
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


def test_instance_types_of_a_flexible_group_change(sagemaker: Any, on_eks: Any, refused: Refused) -> None:
    types = ["ml.trn1.32xlarge", "ml.trn1n.32xlarge"]
    group = {name: value for name, value in GROUP.items() if name != "InstanceType"}
    first = {**group, "InstanceRequirements": {"InstanceTypes": types[:1]}}
    sagemaker.create_cluster(**on_eks | CONTINUOUS | {"InstanceGroups": [first]})
    both = {**group, "InstanceRequirements": {"InstanceTypes": types}}
    sagemaker.update_cluster(ClusterName="pods", InstanceGroups=[both])
    (made,) = sagemaker.describe_cluster(ClusterName="pods")["InstanceGroups"]
    assert made["InstanceRequirements"] == {"CurrentInstanceTypes": types, "DesiredInstanceTypes": types}
    _, message = refused(sagemaker.update_cluster, ClusterName="pods", InstanceGroups=[GROUP])
    assert message == "InstanceType of instance group trn1 cannot be changed"


def test_a_slurm_cluster_keeps_its_orchestrator_and_the_kind_of_its_groups(
    sagemaker: Any, on_slurm: Any, on_eks: Any, refused: Refused
) -> None:
    sagemaker.create_cluster(**on_slurm)
    sagemaker.create_cluster(**on_eks)
    controller, compute = SLURM_GROUPS
    login = {**compute, "SlurmConfig": {"NodeType": "Login"}}
    _, message = refused(sagemaker.update_cluster, ClusterName="jobs", InstanceGroups=[login])
    assert message == "SlurmConfig of instance group trn1 cannot be changed to another NodeType"
    other = {**compute, "SlurmConfig": {"NodeType": "Compute", "PartitionNames": ["inference"]}}
    sagemaker.update_cluster(ClusterName="jobs", InstanceGroups=[other, controller])
    second = {**controller, "InstanceGroupName": "second"}
    _, message = refused(sagemaker.update_cluster, ClusterName="jobs", InstanceGroups=[second])
    assert message == "A Slurm cluster has one group of NodeType Controller"
    _, message = refused(sagemaker.update_cluster, ClusterName="pods", Orchestrator={"Slurm": {}})
    assert message == "Orchestrator has either Eks or Slurm"


def test_managed_karpenter_has_a_status_and_keeps_its_role(
    sagemaker: Any, on_eks: Any, client: Any, refused: Refused
) -> None:
    hyperpod_service = "hyperpod.sagemaker.amazonaws.com"
    first, second = (hyperpod.make_role(client, name, hyperpod_service) for name in ("scales", "scales-too"))
    karpenter = {**CONTINUOUS, "AutoScaling": {"Mode": "Enable"}}
    answer = refused(sagemaker.create_cluster, **on_eks | karpenter | {"ClusterRole": ROLE})
    assert answer == ("ValidationException", f"SageMaker HyperPod cannot assume the cluster role {ROLE}")
    sagemaker.create_cluster(**on_eks | karpenter | {"ClusterRole": first})
    enabled = {"Mode": "Enable", "AutoScalerType": "Karpenter", "Status": "InService"}
    assert sagemaker.describe_cluster(ClusterName="pods")["AutoScaling"] == enabled
    answer = refused(sagemaker.update_cluster, ClusterName="pods", ClusterRole=second)
    assert answer == ("ValidationException", "ClusterRole cannot be changed while AutoScaling is enabled")
    sagemaker.update_cluster(ClusterName="pods", AutoScaling={"Mode": "Disable"})
    sagemaker.update_cluster(ClusterName="pods", ClusterRole=second)
    made = sagemaker.describe_cluster(ClusterName="pods")
    assert (made["ClusterRole"], made["AutoScaling"]["Mode"]) == (second, "Disable")


def without_nothing(members: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in members.items() if value is not None}
