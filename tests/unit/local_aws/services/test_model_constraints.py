"""Values that the service's model lists: a misspelt one is refused, as the service refuses it."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

TRUST = {"Effect": "Allow", "Principal": {"Service": "ec2.amazonaws.com"}, "Action": "sts:AssumeRole"}
ROLE = {"RoleName": "fine", "AssumeRolePolicyDocument": json.dumps({"Version": "2012-10-17", "Statement": [TRUST]})}
ALARM = {
    "AlarmName": "a",
    "MetricName": "m",
    "EvaluationPeriods": 1,
    "ComparisonOperator": "LessThanThreshold",
    "Threshold": 1.0,
}


@pytest.mark.parametrize(
    ("members", "place"),
    [
        ({"amiType": "AL2023_x86_64_NEURONN"}, "amiType"),
        ({"capacityType": "ONDEMAND"}, "capacityType"),
        ({"taints": [{"key": "a", "effect": "NoSchedule"}]}, "taints.1.member.effect"),
        ({"nodeRepairConfig": {"nodeRepairConfigOverrides": [{"repairAction": "Restart"}]}}, "repairAction"),
    ],
)
def test_eks_refuses_a_value_out_of_its_list(*, eks, cluster, ground, refused, members, place):
    wish = {"clusterName": "trn", "nodegroupName": "ng", "subnets": ground.subnets, "nodeRole": ground.node_role}
    code, message = refused(eks.create_nodegroup, **wish, **members)
    assert code == "InvalidParameterException"
    assert place in message
    assert "Member must satisfy enum value set: [" in message
    assert eks.list_nodegroups(clusterName="trn")["nodegroups"] == []


def test_eks_refuses_a_name_out_of_its_pattern(eks, ground, refused):
    network = {"subnetIds": ground.subnets}
    message = refused(eks.create_cluster, name="-trn", roleArn=ground.cluster_role, resourcesVpcConfig=network)[1]
    assert "Value '-trn' at 'name' failed to satisfy constraint" in message


def test_fsx_refuses_both_kinds_at_once(fsx, ground, refused):
    lustre = {"DeploymentType": "PERSISTENT_3", "WeeklyMaintenanceStartTime": "8:00:00"}
    code, message = refused(
        fsx.create_file_system,
        FileSystemType="LUSTRE",
        StorageCapacity=1200,
        SubnetIds=ground.subnets[:1],
        LustreConfiguration=lustre,
    )
    assert code == "ValidationException"
    assert message.startswith("2 validation errors detected: ")


def test_fsx_refuses_a_number_that_is_too_large(fsx, ground, refused):
    lustre = {"DeploymentType": "PERSISTENT_2", "PerUnitStorageThroughput": 125, "AutomaticBackupRetentionDays": 91}
    given = {"FileSystemType": "LUSTRE", "StorageCapacity": 1200, "SubnetIds": ground.subnets[:1]}
    code, message = refused(fsx.create_file_system, **given, LustreConfiguration=lustre)
    assert (code, "less than or equal to 90" in message) == ("ValidationException", True)


def test_ec2_refuses_a_list_that_is_too_long(client, refused):
    code, message = refused(client("ec2").describe_launch_templates, LaunchTemplateNames=["abc"] * 201, MaxResults=201)
    assert (code, "less than or equal to 200" in message) == ("InvalidParameterValue", True)


@pytest.mark.parametrize(
    ("service", "ask", "given", "code", "place"),
    [
        ("iam", "create_role", {**ROLE, "RoleName": "a" * 65}, "ValidationError", "RoleName"),
        ("iam", "create_role", {**ROLE, "RoleName": "no spaces"}, "ValidationError", "RoleName"),
        ("iam", "create_role", {**ROLE, "Path": "no-slashes"}, "ValidationError", "Path"),
        (
            "iam",
            "create_instance_profile",
            {"InstanceProfileName": "a" * 129},
            "ValidationError",
            "InstanceProfileName",
        ),
        ("logs", "create_log_group", {"logGroupName": "no spaces"}, "InvalidParameterException", "logGroupName"),
        ("cloudwatch", "put_metric_alarm", {**ALARM, "ComparisonOperator": "Less"}, "ValidationError", "Operator"),
        ("ssm", "put_parameter", {"Name": "a", "Value": "b", "Type": "Text"}, "ValidationException", "Type"),
        ("kms", "create_key", {"KeySpec": "RSA_1"}, "ValidationException", "KeySpec"),
        ("ec2", "modify_instance_metadata_options", {"HttpTokens": "sometimes"}, "InvalidParameterValue", "HttpTokens"),
        (
            "ec2",
            "create_volume",
            {"AvailabilityZone": "us-west-2a", "VolumeType": "gp9"},
            "InvalidParameterValue",
            "gp9",
        ),
    ],
)
def test_what_moto_would_take(
    *, client: Callable[[str], Any], refused: Any, service: str, ask: str, given: dict[str, Any], code: str, place: str
) -> None:
    """Operations that are not ours are held to the model of their service, too."""
    wish = {"InstanceId": "i-0123456789abcdef0", **given} if "metadata" in ask else given
    answer, message = refused(getattr(client(service), ask), **wish)
    assert (answer, "validation error" in message, place in message) == (code, True, True)


def test_an_instance_type_may_be_newer_than_the_model(client):
    """Which there are, the catalog says: a launch template takes any name."""
    ec2 = client("ec2")
    ec2.create_launch_template(LaunchTemplateName="newer", LaunchTemplateData={"InstanceType": "trn9.48xlarge"})
    ec2.delete_launch_template(LaunchTemplateName="newer")
