"""The stacks of a PCS cluster: one security group, ids by GetAtt, settings and devices of each group."""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable, Mapping
from typing import Any

import pytest

from neuron_cluster.catalog.catalog import load_catalog
from neuron_cluster.plan.cluster_plan import ClusterPlan
from neuron_cluster.plan.machine_plan import SecurityGroupRole
from neuron_cluster.providers.pcs.plan.slurm_plan import SlurmPlan
from neuron_cluster.providers.pcs.stacks import NODES
from neuron_cluster.schedulers.slurm.parallelcluster import ids
from stacks.constructs.security_groups import PURPOSES
from stacks.environment_stack import ENVIRONMENT_TAG

StackOf = Callable[..., Any]
TRN1 = {
    "name": "trn1",
    "instance_type": "trn1.32xlarge",
    "count": {"min": 0, "max": 16},
    "availability_zone": "usw2-az4",
    "root_volume": {"size_gib": 512},
}
INF2 = {
    "name": "inf2",
    "instance_type": "inf2.48xlarge",
    "count": {"max": 2},
    "capacity": {"kind": "spot"},
    "root_volume": {"size_gib": 512},
    "settings": {"Weight": 10},
}
SECOND = {
    "slurm.groups": [TRN1, INF2],
    "slurm.queues": [
        {"name": "training", "groups": ["trn1"]},
        {"name": "serving", "groups": ["inf2", "trn1"], "whole_nodes": False},
    ],
}
BLOCK = {"slurm.groups": [{**TRN1, "capacity": {"kind": "capacity_block", "reservation_id": "cr-0123456789abcdef0"}}]}


STORAGE = {
    "storage": {
        "checkpoint_bucket": {},
        "compile_cache": {},
        "lustre": {"availability_zone": "usw2-az4", "capacity_gib": 1200},
        "efs": {"access_points": [{"name": f"p{number}", "path": f"/p{number}"} for number in range(11)]},
    }
}


def properties(stack: Any, resource_type: str) -> list[Mapping[str, Any]]:
    return [each["Properties"] for each in stack.find_resources(resource_type).values()]


def settings(configuration: Mapping[str, Any], key: str = "SlurmCustomSettings") -> dict[str, str]:
    return {each["ParameterName"]: each["ParameterValue"] for each in configuration[key]}


def test_the_cluster_has_one_subnet_and_its_own_group(stack_of: StackOf) -> None:
    (cluster,) = properties(stack_of("slurm-trn1", "slurm"), "AWS::PCS::Cluster")
    assert len(cluster["Networking"]["SubnetIds"]) == 1
    assert cluster["Networking"]["SecurityGroupIds"] == [{"Fn::GetAtt": ["SecurityGroup", "GroupId"]}]
    assert (cluster["Size"], cluster["Scheduler"]["Version"]) == ("SMALL", "25.11")
    configuration = cluster["SlurmConfiguration"]
    assert settings(configuration, "CgroupCustomSettings") == {"ConstrainCores": "yes", "ConstrainDevices": "yes"}
    assert configuration["Accounting"] == {"Mode": "STANDARD"}
    assert configuration["ScaleDownIdleTimeInSeconds"] == 600


def test_prologs_have_the_flag_without_which_the_step_manager_of_pcs_does_not_start(stack_of: StackOf) -> None:
    (cluster,) = properties(stack_of("slurm-trn1", "slurm"), "AWS::PCS::Cluster")
    assert settings(cluster["SlurmConfiguration"])["PrologFlags"].split(",") == ["Alloc", "Contain"]


def test_settings_of_the_file_win(stack_of: StackOf) -> None:
    ours = {"JobRequeue": "0", "HealthCheckInterval": "60", "MinJobAge": "300"}
    lists = {"SchedulerParameters": "bf_interval=60,nohold_on_prolog_fail"}
    edits = {"slurm.settings": {**ours, **lists}, "slurm.accounting": False}
    (cluster,) = properties(stack_of("slurm-trn1", "slurm", edits), "AWS::PCS::Cluster")
    (default,) = properties(stack_of("slurm-trn1", "slurm"), "AWS::PCS::Cluster")
    expected = {**settings(default["SlurmConfiguration"]), **ours}
    assert settings(cluster["SlurmConfiguration"]) == {
        **expected,
        "SchedulerParameters": "nohold_on_prolog_fail,bf_interval=60",
    }
    assert cluster["SlurmConfiguration"]["Accounting"] == {"Mode": "NONE"}


@pytest.mark.parametrize(
    ("version", "types"),
    [
        ("25.05", ["PCS_JOBCOMP_LOGS", "PCS_SCHEDULER_LOGS"]),
        ("25.11", ["PCS_JOBCOMP_LOGS", "PCS_SCHEDULER_AUDIT_LOGS", "PCS_SCHEDULER_LOGS"]),
    ],
)
def test_logs_that_the_version_has_are_delivered(version: str, types: list[str], stack_of: StackOf) -> None:
    stack = stack_of("slurm-trn1", "slurm", {"slurm.version": version})
    assert sorted(each["LogType"] for each in properties(stack, "AWS::Logs::DeliverySource")) == types
    assert len(properties(stack, "AWS::Logs::Delivery")) == len(types)
    (group,) = properties(stack, "AWS::Logs::LogGroup")
    (destination,) = properties(stack, "AWS::Logs::DeliveryDestination")
    assert destination["DestinationResourceArn"].endswith(f":log-group:{group['LogGroupName']}")


def test_deliveries_of_logs_to_one_destination_are_created_one_after_the_other(stack_of: StackOf) -> None:
    """CloudWatch Logs answers concurrent calls on a destination with ConflictException."""
    resources = stack_of("slurm-trn1", "slurm").to_json()["Resources"]
    after = {
        name: set(each.get("DependsOn", []))
        for name, each in resources.items()
        if each["Type"] == "AWS::Logs::Delivery"
    }
    assert sorted(len(each & after.keys()) for each in after.values()) == [0, 1, 1]
    assert len({each for names in after.values() for each in names & after.keys()}) == len(after) - 1


def test_nodes_register_with_this_cluster_alone(stack_of: StackOf) -> None:
    stack = stack_of("slurm-trn1", "compute")
    (role,), (profile,) = properties(stack, "AWS::IAM::Role"), properties(stack, "AWS::IAM::InstanceProfile")
    assert role["Path"] == profile["Path"] == "/aws-pcs/"
    (registration,) = (each for each in role["Policies"] if each["PolicyName"] == "Registration")
    (statement,) = registration["PolicyDocument"]["Statement"]
    assert statement["Action"] == "pcs:RegisterComputeNodeGroupInstance"
    assert "ClusterArn" in statement["Resource"]["Fn::ImportValue"]


def test_the_group_of_the_cluster_is_on_each_interface_with_an_address(stack_of: StackOf) -> None:
    stack = stack_of("slurm-trn1", "compute")
    for template in properties(stack, "AWS::EC2::LaunchTemplate"):
        for interface in template["LaunchTemplateData"]["NetworkInterfaces"]:
            groups = [each["Fn::ImportValue"] for each in interface["Groups"]]
            has_group = any(each.startswith("slurm-trn1-slurm:") for each in groups)
            assert has_group is (interface["InterfaceType"] != "efa-only")


def lifecycle_scripts(stack: Any) -> list[Mapping[str, Any]]:
    groups = properties(stack, "AWS::PCS::ComputeNodeGroup")
    (scripts,) = zip(*(each["NodeLifecycleActions"]["Stages"]["NodeBootstrapped"] for each in groups), strict=True)
    return list(scripts)


def test_each_node_runs_its_start_before_slurm_and_may_read_it(stack_of: StackOf) -> None:
    stack = stack_of("slurm-trn1", "compute")
    (role,) = properties(stack, "AWS::IAM::Role")
    (policy,) = (each for each in role["Policies"] if each["PolicyName"] == "StartScripts")
    statement, _ = policy["PolicyDocument"]["Statement"]
    scripts = lifecycle_scripts(stack)
    assert [each["OnError"] for each in scripts] == ["TERMINATE", "TERMINATE"]
    addresses = [each["ScriptSource"]["ScriptLocation"] for each in scripts]
    assert [each.rpartition("/")[2] for each in addresses] == [
        f"{each['ScriptSource']['Checksum']}.sh" for each in scripts
    ]
    assert statement["Resource"] == sorted(each.replace("s3://", "arn:aws:s3:::") for each in addresses)
    assert statement["Action"] == "s3:GetObject"


def test_nodes_decrypt_their_start_of_a_bucket_that_was_bootstrapped_with_a_key(stack_of: StackOf) -> None:
    (role,) = properties(stack_of("slurm-trn1", "compute"), "AWS::IAM::Role")
    (policy,) = (each for each in role["Policies"] if each["PolicyName"] == "StartScripts")
    read, decrypt = policy["PolicyDocument"]["Statement"]
    assert (decrypt["Action"], decrypt["Condition"]["StringEquals"]) == (
        "kms:Decrypt",
        {"kms:ViaService": "s3.us-west-2.amazonaws.com"},
    )
    contexts = decrypt["Condition"]["StringLike"]["kms:EncryptionContext:aws:s3:arn"]
    scripts = [read["Resource"]] if isinstance(read["Resource"], str) else read["Resource"]
    assert set(scripts) | {scripts[0].rpartition("/")[0]} == set(contexts)


def test_the_start_has_the_file_systems_of_the_environment(stack_of: StackOf) -> None:
    login, _ = lifecycle_scripts(stack_of("slurm-trn1", "compute", STORAGE))
    lustre, bucket, efs, ten, one = login["Arguments"]
    assert [part for part in lustre["Fn::Join"][1] if isinstance(part, str)] == ["@tcp:/"]
    assert "Checkpoints" in bucket["Fn::Select"][1]["Fn::Split"][1]["Fn::ImportValue"]
    assert "EfsFileSystem" in efs["Fn::ImportValue"]
    assert (ten["Fn::Join"][0], len(ten["Fn::Join"][1])) == (" ", 10)
    assert "AccessPointp10" in one["Fn::ImportValue"]


def test_nodes_write_to_the_compile_cache_and_their_own_prefix(stack_of: StackOf) -> None:
    (role,) = properties(stack_of("slurm-trn1", "compute", STORAGE), "AWS::IAM::Role")
    (policy,) = (each for each in role["Policies"] if each["PolicyName"] == "CheckpointBucket")
    may: dict[str, set[str]] = {}
    for statement in policy["PolicyDocument"]["Statement"]:
        actions, resources = (
            given if isinstance(given, list) else [given] for given in (statement["Action"], statement["Resource"])
        )
        for resource in resources:
            prefix = resource["Fn::Join"][1][1] if "Fn::Join" in resource else ""
            may.setdefault(prefix, set()).update(actions)
    writers = {prefix for prefix, actions in may.items() if "s3:PutObject" in actions}
    assert writers == {"/compile-cache/*", "/slurm/*"}
    assert {prefix for prefix, actions in may.items() if "s3:DeleteObject" in actions} == {"/slurm/*"}


def test_groups_have_their_devices_and_queues_their_groups(stack_of: StackOf) -> None:
    stack = stack_of("slurm-trn1", "compute", SECOND)
    found = stack.find_resources("AWS::PCS::ComputeNodeGroup")
    groups = {each["Properties"]["Name"].rpartition("-")[0]: each["Properties"] for each in found.values()}
    assert set(groups) == {"login", "inf2", "trn1"}
    assert "SlurmConfiguration" not in groups["login"]
    assert settings(groups["inf2"]["SlurmConfiguration"]) == {"Gres": "gpu:inferentia2:12", "Weight": "10"}
    assert groups["trn1"]["SlurmConfiguration"]["GresCustomSettings"] == [
        {"Name": "gpu", "Type": "trainium", "Count": "16", "File": "/dev/neuron[0-15]", "Flags": "no_gpu_env"}
    ]
    assert [groups[name]["PurchaseOption"] for name in ("login", "trn1", "inf2")] == ["ONDEMAND", "ONDEMAND", "SPOT"]
    queues = {each["Name"]: each for each in properties(stack, "AWS::PCS::Queue")}
    ids = {each["Properties"]["Name"].rpartition("-")[0]: {"Fn::GetAtt": [key, "Id"]} for key, each in found.items()}
    configured = [each["ComputeNodeGroupId"] for each in queues["serving"]["ComputeNodeGroupConfigurations"]]
    assert configured == [ids["inf2"], ids["trn1"]]
    assert settings(queues["training"]["SlurmConfiguration"]) == {"Default": "YES", "OverSubscribe": "EXCLUSIVE"}
    assert settings(queues["serving"]["SlurmConfiguration"]) == {"Default": "NO"}


def test_a_block_has_no_placement_group(stack_of: StackOf) -> None:
    stack = stack_of("slurm-trn1", "compute", BLOCK)
    assert stack.find_resources("AWS::EC2::PlacementGroup") == {}
    options = {each["PurchaseOption"] for each in properties(stack, "AWS::PCS::ComputeNodeGroup")}
    assert options == {"ONDEMAND", "CAPACITY_BLOCK"}


def test_instances_volumes_and_interfaces_of_a_group_have_the_tag_of_its_team(stack_of: StackOf) -> None:
    stack = stack_of("slurm-trn1", "compute", {"slurm.groups": [{**TRN1, "team": "research"}]})
    templates = [each["LaunchTemplateData"] for each in properties(stack, "AWS::EC2::LaunchTemplate")]
    tagged = {
        (template["InstanceType"], tags["ResourceType"])
        for template in templates
        for tags in template["TagSpecifications"]
        if {"Key": "neuron-cluster:team", "Value": "research"} in tags["Tags"]
    }
    assert tagged == {("trn1.32xlarge", kind) for kind in ("instance", "volume", "network-interface")}


def test_another_instance_type_is_another_name(stack_of: StackOf) -> None:
    """CloudFormation creates the new group first, and PCS knows a name once."""
    before, after = (
        {each["Name"] for each in properties(stack_of("slurm-trn1", "compute", edits), "AWS::PCS::ComputeNodeGroup")}
        for edits in (None, {"slurm.groups": [{**TRN1, "instance_type": "trn1n.32xlarge"}]})
    )
    assert len(before & after) == 1


def test_the_number_of_resources_is_known_before_synthesis(
    stack_of: StackOf, plan_of: Callable[..., ClusterPlan]
) -> None:
    for edits in (None, SECOND, BLOCK):
        count = NODES.resources
        assert count is not None
        resources = stack_of("slurm-trn1", "compute", edits).to_json()["Resources"]
        assert count(plan_of("slurm-trn1", edits)) == len(resources)


def test_the_script_for_parallelcluster_finds_security_groups_by_their_description() -> None:
    assert PURPOSES[SecurityGroupRole.NODE] == ids.NODES
    assert PURPOSES[SecurityGroupRole.STORAGE_CLIENT] == ids.LUSTRE_CLIENTS
    assert ids.ENVIRONMENT_TAG == ENVIRONMENT_TAG


def test_the_script_for_parallelcluster_finds_access_points_by_their_name(
    stack_of: StackOf, plan_of: Callable[..., ClusterPlan]
) -> None:
    points = properties(stack_of("slurm-storage", "storage"), "AWS::EFS::AccessPoint")
    names = {tag["Value"] for point in points for tag in point["AccessPointTags"] if tag["Key"] == "Name"}
    plan = plan_of("slurm-storage")
    slurm = plan.provider(SlurmPlan)
    assert slurm is not None
    words = [word for each in ids.ids_of(plan, slurm, load_catalog()) for word in shlex.split(each.command)]
    assert (
        names == {found[1] for word in words if (found := re.match(r"AccessPoints\[\?Name=='(.*)'\]", word))} != set()
    )
