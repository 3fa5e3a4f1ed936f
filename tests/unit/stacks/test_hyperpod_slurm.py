"""The stack of a HyperPod cluster with Slurm: groups with their partitions, file system, scripts and rights."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable, Mapping
from typing import Any

import botocore.session
import jsonschema
import pytest

from neuron_cluster.plan.cluster_plan import ClusterPlan
from neuron_cluster.providers.hyperpod.changes.resource_kinds import CLUSTER
from neuron_cluster.providers.hyperpod.node_script import node_script
from neuron_cluster.providers.hyperpod.plan.slurm_plan import HyperPodSlurmPlan
from neuron_cluster.providers.hyperpod.stacks import HYPERPOD
from neuron_cluster.toolkit_files import PACKAGE
from tests.existing_vpc import existing_vpc
from tests.slurm_on_hyperpod import BUCKET, CPU, NAME, TEAMS

STACK = HYPERPOD.stack_key
SCHEMA = PACKAGE.parent / "local_aws" / "handlers" / "schemas" / "aws-sagemaker-cluster.json"
PLAN_ARN = "arn:aws:sagemaker:us-west-2:111122223333:training-plan/week-49"
SCRIPT = "Custom::NeuronClusterLifeCycleScript"
EVERYTHING: dict[str, Any] = {
    **BUCKET,
    "hyperpod.slurm.controller.extra_volume": {"size_gib": 500},
    "hyperpod.slurm.login.count": {"desired": 2},
    "hyperpod.groups.0.count": {"desired": 4, "min": 2},
    "hyperpod.groups.0.capacity": {"kind": "training_plan", "plan_arn": PLAN_ARN},
    "hyperpod.groups.0.extra_volume": {"size_gib": 200},
    "hyperpod.groups.1": CPU,
}
"""Every key of a group that becomes a property."""

StackOf = Callable[..., Any]
PlanOf = Callable[..., ClusterPlan]


def resources(stack: Any, type_name: str) -> dict[str, dict[str, Any]]:
    return dict(stack.find_resources(type_name))


def cluster_of(stack: Any) -> dict[str, Any]:
    """Properties of the only cluster."""
    (found,) = resources(stack, CLUSTER).values()
    return dict(found["Properties"])


def groups_of(stack: Any) -> dict[str, dict[str, Any]]:
    """The groups by the user's name, in the order of the template."""
    return {each["InstanceGroupName"].rpartition("-")[0]: each for each in cluster_of(stack)["InstanceGroups"]}


def node_role(stack: Any) -> dict[str, Any]:
    roles = (each["Properties"] for each in resources(stack, "AWS::IAM::Role").values())
    (found,) = (role for role in roles if "sagemaker.amazonaws.com" in str(role["AssumeRolePolicyDocument"]))
    return dict(found)


def statements(stack: Any) -> dict[str, list[dict[str, Any]]]:
    return {each["PolicyName"]: each["PolicyDocument"]["Statement"] for each in node_role(stack)["Policies"]}


def listed(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]


def test_the_orchestrator_is_slurm_and_no_stack_of_eks_is_there(stack_of: StackOf, plan_of: PlanOf) -> None:
    cluster = cluster_of(stack_of(NAME, STACK))
    assert cluster["ClusterName"] == NAME
    assert set(cluster["Orchestrator"]) == {"Slurm"}
    assert plan_of(NAME).stacks == ("network", "storage", STACK)


@pytest.mark.parametrize(
    ("edits", "orchestrator", "mode"),
    [
        ({}, {"Slurm": {}}, "Continuous"),
        ({"hyperpod.continuous": False}, {"Slurm": {"SlurmConfigStrategy": "Merge"}}, None),
    ],
    ids=["continuous", "all or none"],
)
def test_lines_of_others_are_merged_where_hyperpod_takes_a_strategy(
    stack_of: StackOf, edits: Mapping[str, Any], orchestrator: Mapping[str, Any], mode: str | None
) -> None:
    """It rejects one with continuous provisioning."""
    cluster = cluster_of(stack_of(NAME, STACK, edits))
    assert cluster["Orchestrator"] == orchestrator
    assert cluster.get("NodeProvisioningMode") == mode


def test_groups_have_the_types_of_slurm_nodes_and_only_those_with_jobs_a_partition(stack_of: StackOf) -> None:
    groups = groups_of(stack_of(NAME, STACK, {"hyperpod.groups.1": CPU}))
    assert {name: group["SlurmConfig"] for name, group in groups.items()} == {
        "controller": {"NodeType": "Controller"},
        "login": {"NodeType": "Login"},
        "trn1": {"NodeType": "Compute", "PartitionNames": ["training"]},
        "prepare": {"NodeType": "Compute", "PartitionNames": ["prepare"]},
    }
    counts = {name: (group["InstanceType"], group["InstanceCount"]) for name, group in groups.items()}
    assert counts["controller"] == ("ml.m7i.2xlarge", 1)
    assert counts["trn1"] == ("ml.trn1.32xlarge", 4)
    assert {group["ThreadsPerCore"] for group in groups.values()} == {1}


def test_two_groups_of_one_partition_name_it(stack_of: StackOf) -> None:
    groups = groups_of(stack_of(NAME, STACK, {"hyperpod.groups.1": {**CPU, "queue": "training"}}))
    assert [groups[name]["SlurmConfig"]["PartitionNames"] for name in ("trn1", "prepare")] == [["training"]] * 2


def test_hyperpod_mounts_the_file_system_on_every_group(stack_of: StackOf) -> None:
    groups = groups_of(stack_of(NAME, STACK, {"hyperpod.groups.1": CPU}))
    for group in groups.values():
        (storage,) = group["InstanceStorageConfigs"]
        lustre = storage["FsxLustreConfig"]
        assert lustre["MountPath"] == "/fsx"
        assert "storage" in str(lustre["DnsName"])
        assert "storage" in str(lustre["MountName"])
        assert lustre["DnsName"] != lustre["MountName"]


def test_an_extra_volume_stands_beside_the_file_system(stack_of: StackOf) -> None:
    groups = groups_of(stack_of(NAME, STACK, EVERYTHING))
    volume, lustre = groups["controller"]["InstanceStorageConfigs"]
    assert (volume, set(lustre)) == ({"EbsVolumeConfig": {"VolumeSizeInGB": 500}}, {"FsxLustreConfig"})
    assert len(groups["login"]["InstanceStorageConfigs"]) == 1


def test_without_a_file_system_a_group_has_no_storage(stack_of: StackOf) -> None:
    groups = groups_of(stack_of(NAME, STACK, {"storage": None}))
    assert [name for name, group in groups.items() if "InstanceStorageConfigs" in group] == []


def test_an_existing_file_system_is_mounted_by_its_names(stack_of: StackOf) -> None:
    existing = {
        "file_system_id": "fs-0123456789abcdef0",
        "dns_name": "fs-0123456789abcdef0.fsx.us-west-2.amazonaws.com",
        "mount_name": "abcdefgh",
        "security_group_id": "sg-0123456789abcdef0",
    }
    lustre = {"existing": existing, "availability_zone": "usw2-az4", "capacity_gib": 1200}
    groups = groups_of(stack_of(NAME, STACK, {"storage": {"lustre": lustre}}))
    for group in groups.values():
        (storage,) = group["InstanceStorageConfigs"]
        assert storage["FsxLustreConfig"] == {
            "DnsName": existing["dns_name"],
            "MountName": "abcdefgh",
            "MountPath": "/fsx",
        }


def test_nodes_are_in_the_subnets_of_a_vpc_that_exists(stack_of: StackOf) -> None:
    cluster = cluster_of(stack_of(NAME, STACK, existing_vpc("usw2-az4", public="usw2-az4")))
    for config in (cluster["VpcConfig"], *(each["OverrideVpcConfig"] for each in cluster["InstanceGroups"])):
        assert config["Subnets"] == ["subnet-0123456789abcdef0"]


def test_controller_and_login_group_are_in_the_zone_of_the_file_system(stack_of: StackOf) -> None:
    """Else each of their reads would cross zones."""
    edits = {
        "network.availability_zones": ["usw2-az1", "usw2-az4"],
        "hyperpod.groups.0.availability_zone": "usw2-az4",
    }
    groups = groups_of(stack_of(NAME, STACK, edits))
    assert len({str(group["OverrideVpcConfig"]["Subnets"]) for group in groups.values()}) == 1
    assert "usw2az4" in str(groups["controller"]["OverrideVpcConfig"]["Subnets"]).lower()


def test_each_group_runs_the_script_that_the_stack_writes_for_it(stack_of: StackOf) -> None:
    stack = stack_of(NAME, STACK)
    written = [each["Properties"] for each in resources(stack, SCRIPT).values()]
    assert len(written) == 3
    for name, group in groups_of(stack).items():
        cycle = group["LifeCycleConfig"]
        assert set(cycle) == {"SourceS3Uri", "OnInitComplete"}, name
        folder = cycle["SourceS3Uri"]["Fn::Join"][1][-1].removeprefix("/")
        (script,) = (each for each in written if each["Key"] == f"{folder}/{cycle['OnInitComplete']}")
        assert script["Text"].startswith("#!/bin/bash\n")
    assert len({each["Key"] for each in written}) == 3


def test_a_launcher_has_the_digest_of_the_script_of_its_group(stack_of: StackOf, plan_of: PlanOf) -> None:
    slurm = plan_of(NAME).provider(HyperPodSlurmPlan)
    assert slurm is not None
    expected = {hashlib.sha256(node_script(group, slurm).encode()).hexdigest() for group in slurm.instance_groups}
    stack = stack_of(NAME, STACK)
    found = {
        digest for each in resources(stack, SCRIPT).values() for digest in re.findall(r"[0-9a-f]{64}  ", str(each))
    }
    assert {digest.strip() for digest in found} == expected


def test_an_edit_of_a_users_team_changes_the_key_of_every_script(stack_of: StackOf) -> None:
    """A node that runs keeps its script until HyperPod has the other one."""
    before, after = (
        {each["Properties"]["Key"] for each in resources(stack_of(NAME, STACK, edits), SCRIPT).values()}
        for edits in (None, TEAMS)
    )
    assert before.isdisjoint(after)


def test_the_name_of_the_bucket_is_a_value_of_scripts_whose_jobs_have_a_cache_in_it(stack_of: StackOf) -> None:
    for edits, has_bucket in (({}, False), (BUCKET, True), ({**BUCKET, **TEAMS}, False)):
        for each in resources(stack_of(NAME, STACK, edits), SCRIPT).values():
            values = each["Properties"].get("Values", {})
            assert set(values) == ({"BUCKET"} if has_bucket else set())
            assert ("{BUCKET}" in each["Properties"]["Text"]) is has_bucket
            assert not has_bucket or "storage" in str(values["BUCKET"])


def test_the_cluster_is_made_after_role_and_scripts(stack_of: StackOf) -> None:
    stack = stack_of(NAME, STACK)
    ((_, cluster),) = resources(stack, CLUSTER).items()
    assert set(resources(stack, SCRIPT)) <= set(listed(cluster["DependsOn"]))
    assert "NodeRole" in str(cluster["Properties"]["InstanceGroups"][0]["ExecutionRole"])
    assert {"network", "storage"} <= set(HYPERPOD.after)


def test_nodes_read_the_scripts_of_their_groups_and_no_other_object(stack_of: StackOf) -> None:
    stack = stack_of(NAME, STACK)
    read, decrypt = statements(stack)["StartScripts"]
    assert (read["Action"], read["Condition"]) == (
        "s3:GetObject",
        {"StringEquals": {"aws:ResourceAccount": "111122223333"}},
    )
    digests = {key for each in resources(stack, SCRIPT).values() for key in re.findall(r"[0-9a-f]{64}\.sh", str(each))}
    assert len(digests) == 3
    assert {str(resource).rpartition("/")[2] for resource in listed(read["Resource"])} == digests
    assert "kms:Decrypt" in listed(decrypt["Action"])


def test_nodes_write_no_object_of_the_checkpoint_bucket_outside_of_their_prefixes(stack_of: StackOf) -> None:
    assert "CheckpointBucket" not in statements(stack_of(NAME, STACK))
    found = statements(stack_of(NAME, STACK, BUCKET))["CheckpointBucket"]
    writes = [each for each in found if "s3:PutObject" in listed(each["Action"])]
    deletes = [each for each in found if "s3:DeleteObject" in listed(each["Action"])]
    assert [each for each in deletes if "/slurm/*" not in str(each["Resource"]) or "cache" in str(each)] == []
    assert len(deletes) == 1
    resources_written = [str(resource) for each in writes for resource in listed(each["Resource"])]
    assert len(resources_written) == 2
    assert all("/slurm/*" in each or "cache/*" in each for each in resources_written)
    assert "s3:DeleteObjectVersion" not in str(found)


def test_the_role_has_the_calls_of_slurm_nodes_and_none_of_eks(stack_of: StackOf) -> None:
    role = node_role(stack_of(NAME, STACK))
    allowed = {action for each in statements(stack_of(NAME, STACK))["Nodes"] for action in listed(each["Action"])}
    assert "ec2:CreateNetworkInterface" in allowed
    assert [action for action in sorted(allowed) if action.startswith(("eks", "ecr"))] == []
    assert "AmazonSageMakerClusterInstanceRolePolicy" in str(role["ManagedPolicyArns"])
    assert "pods" not in role["Description"]


def test_the_file_system_lets_the_nodes_in(stack_of: StackOf) -> None:
    stack = stack_of(NAME, "network")
    groups = {
        name: each["Properties"]["GroupDescription"]
        for name, each in resources(stack, "AWS::EC2::SecurityGroup").items()
    }
    (nodes,) = (name for name, text in groups.items() if text.startswith("HyperPod"))
    (lustre,) = (name for name, text in groups.items() if text.startswith("FSx for Lustre"))
    rules = [each["Properties"] for each in resources(stack, "AWS::EC2::SecurityGroupIngress").values()]
    ports = {
        (rule["FromPort"], rule["ToPort"])
        for rule in rules
        if lustre in str(rule["GroupId"]) and nodes in str(rule.get("SourceSecurityGroupId"))
    }
    assert ports == {(988, 988), (1018, 1023)}


def test_the_cluster_meets_the_schema_of_cloudformation(stack_of: StackOf) -> None:
    """The schema of the Registry decides; tokens are names here."""
    schema = _without_patterns(json.loads(SCHEMA.read_text()))
    for edits in ({}, EVERYTHING, {"hyperpod.continuous": False, "storage": None}):
        cluster = _without_tokens(cluster_of(stack_of(NAME, STACK, edits)))
        found = [
            f"{'/'.join(map(str, error.absolute_path))}: {error.message[:200]}"
            for error in jsonschema.Draft7Validator(schema).iter_errors(cluster)
        ]
        assert found == []
        assert "CurrentCount" not in json.dumps(cluster)


def _without_patterns(schema: Any) -> Any:
    """The schema without expressions that Python does not read, such as those of classes of characters."""
    if isinstance(schema, dict):
        kept = {key: _without_patterns(each) for key, each in schema.items()}
        return {key: each for key, each in kept.items() if not (key == "pattern" and "\\p" in str(each))}
    return [_without_patterns(each) for each in schema] if isinstance(schema, list) else schema


def _without_tokens(value: Any, key: str = "") -> Any:
    """The value with a text of the right form for each intrinsic function."""
    if isinstance(value, dict):
        if next(iter(value), "").startswith(("Fn::", "Ref")):
            return TEXTS.get(key, "x")
        return {name: _without_tokens(each, name) for name, each in value.items()}
    return [_without_tokens(each, key) for each in value] if isinstance(value, list) else value


TEXTS = {
    "ExecutionRole": "arn:aws:iam::111122223333:role/nodes",
    "SourceS3Uri": "s3://sagemaker-hyperpod-slurm-trn1/life-cycle",
    "SecurityGroupIds": "sg-0123456789abcdef0",
    "Subnets": "subnet-0123456789abcdef0",
    "DnsName": "fs-0123456789abcdef0.fsx.us-west-2.amazonaws.com",
    "MountName": "abcdefgh",
}


def test_every_key_of_a_group_is_one_of_the_api_too(stack_of: StackOf) -> None:
    model = botocore.session.get_session().get_service_model("sagemaker")
    shape = model.operation_model("CreateCluster").input_shape.members
    groups = shape["InstanceGroups"].member
    cluster = cluster_of(stack_of(NAME, STACK, EVERYTHING))
    assert set(cluster) - {"ClusterName", "Tags"} <= set(shape)
    for group in cluster["InstanceGroups"]:
        assert set(group) <= set(groups.members)
        assert set(groups.required_members) <= set(group)
        assert group["SlurmConfig"]["NodeType"] in groups.members["SlurmConfig"].members["NodeType"].enum
