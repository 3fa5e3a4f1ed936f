"""Drift: changes outside of CloudFormation are found, and nothing else."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from local_aws.server import LocalAws

STACK = "drifting"
TEMPLATE = {
    "Resources": {
        "Vpc": {"Type": "AWS::EC2::VPC", "Properties": {"CidrBlock": "10.0.0.0/16"}},
        "Group": {
            "Type": "AWS::EC2::SecurityGroup",
            "Properties": {
                "VpcId": {"Ref": "Vpc"},
                "GroupDescription": "x",
                "SecurityGroupIngress": [
                    {"IpProtocol": "tcp", "FromPort": 443, "ToPort": 443, "CidrIp": "10.0.0.0/16"}
                ],
                "Tags": [{"Key": "Name", "Value": "group"}],
            },
        },
        "Rule": {
            "Type": "AWS::EC2::SecurityGroupIngress",
            "Properties": {"GroupId": {"Ref": "Group"}, "IpProtocol": "tcp", "FromPort": 988, "ToPort": 988}
            | {"SourceSecurityGroupId": {"Ref": "Group"}},
        },
        "Bucket": {
            "Type": "AWS::S3::Bucket",
            "Properties": {"BucketName": "drifting", "VersioningConfiguration": {"Status": "Enabled"}},
        },
        "Logs": {"Type": "AWS::Logs::LogGroup", "Properties": {"LogGroupName": "/drifting", "RetentionInDays": 30}},
        "Key": {"Type": "AWS::KMS::Key", "Properties": {"PendingWindowInDays": 7}},
    }
}


@pytest.fixture
def cloudformation(local_aws: LocalAws, client: Callable[[str], Any]) -> Any:
    """CloudFormation with the stack, whose tags stand in no template."""
    local_aws.empty()
    found = client("cloudformation")
    found.create_stack(StackName=STACK, TemplateBody=json.dumps(TEMPLATE), Tags=[{"Key": "team", "Value": "a"}])
    assert found.describe_stacks(StackName=STACK)["Stacks"][0]["StackStatus"] == "CREATE_COMPLETE"
    return found


@pytest.fixture
def check(cloudformation: Any) -> Callable[..., dict[str, Any]]:
    """Checks the stack, and gives how the check ended."""

    def detect(**given: Any) -> dict[str, Any]:
        detection = cloudformation.detect_stack_drift(StackName=STACK, **given)["StackDriftDetectionId"]
        found: dict[str, Any] = cloudformation.describe_stack_drift_detection_status(StackDriftDetectionId=detection)
        assert found["DetectionStatus"] == "DETECTION_COMPLETE"
        return found

    return detect


def drifts(cloudformation: Any, *statuses: str) -> dict[str, dict[str, Any]]:
    filters = {"StackResourceDriftStatusFilters": list(statuses)} if statuses else {}
    found = cloudformation.describe_stack_resource_drifts(StackName=STACK, **filters)["StackResourceDrifts"]
    return {each["LogicalResourceId"]: each for each in found}


def physical_id(cloudformation: Any, name: str) -> str:
    answer = cloudformation.describe_stack_resource(StackName=STACK, LogicalResourceId=name)
    return str(answer["StackResourceDetail"]["PhysicalResourceId"])


def test_an_untouched_stack_is_in_sync(cloudformation: Any, check: Callable[..., Any]) -> None:
    """Stack tags, defaults, a rule that is a resource of its own, and a property that no service tells do no harm."""
    assert drifts(cloudformation) == {}
    found = check()
    assert (found["StackDriftStatus"], found["DriftedStackResourceCount"]) == ("IN_SYNC", 0)
    assert {each["StackResourceDriftStatus"] for each in drifts(cloudformation).values()} == {"IN_SYNC"}
    assert set(drifts(cloudformation)) == set(TEMPLATE["Resources"])


def test_a_changed_rule_is_told_with_its_path(
    cloudformation: Any, check: Callable[..., Any], client: Callable[[str], Any]
) -> None:
    ec2, group = client("ec2"), physical_id(cloudformation, "Group")
    port = {"GroupId": group, "IpProtocol": "tcp", "FromPort": 443, "ToPort": 443}
    ec2.revoke_security_group_ingress(**port, CidrIp="10.0.0.0/16")
    ec2.authorize_security_group_ingress(**port, CidrIp="0.0.0.0/0")
    assert check()["DriftedStackResourceCount"] == 1
    (modified,) = drifts(cloudformation, "MODIFIED").values()
    assert modified["PropertyDifferences"] == [
        {
            "PropertyPath": "/SecurityGroupIngress/0/CidrIp",
            "ExpectedValue": "10.0.0.0/16",
            "ActualValue": "0.0.0.0/0",
            "DifferenceType": "NOT_EQUAL",
        }
    ]
    assert json.loads(modified["ExpectedProperties"])["SecurityGroupIngress"][0]["CidrIp"] == "10.0.0.0/16"
    assert json.loads(modified["ActualProperties"])["SecurityGroupIngress"][0]["CidrIp"] == "0.0.0.0/0"


def test_an_added_and_a_removed_item_are_told(
    cloudformation: Any, check: Callable[..., Any], client: Callable[[str], Any]
) -> None:
    ec2, group = client("ec2"), physical_id(cloudformation, "Group")
    ec2.authorize_security_group_ingress(GroupId=group, IpProtocol="udp", FromPort=53, ToPort=53, CidrIp="10.0.0.0/8")
    ec2.delete_tags(Resources=[group], Tags=[{"Key": "Name"}])
    check()
    differences = drifts(cloudformation)["Group"]["PropertyDifferences"]
    assert [(each["DifferenceType"], each["PropertyPath"]) for each in differences] == [
        ("ADD", "/SecurityGroupIngress/1"),
        ("REMOVE", "/Tags/0"),
    ]


def test_a_changed_bucket_and_retention_are_told(
    cloudformation: Any, check: Callable[..., Any], client: Callable[[str], Any]
) -> None:
    client("s3").put_bucket_versioning(Bucket="drifting", VersioningConfiguration={"Status": "Suspended"})
    client("logs").delete_retention_policy(logGroupName="/drifting")
    assert check()["StackDriftStatus"] == "DRIFTED"
    found = {
        name: [(each["DifferenceType"], each["PropertyPath"]) for each in drift["PropertyDifferences"]]
        for name, drift in drifts(cloudformation, "MODIFIED").items()
    }
    assert found == {
        "Bucket": [("NOT_EQUAL", "/VersioningConfiguration/Status")],
        "Logs": [("REMOVE", "/RetentionInDays")],
    }


def test_a_deleted_resource_is_told(
    cloudformation: Any, check: Callable[..., Any], client: Callable[[str], Any]
) -> None:
    client("logs").delete_log_group(logGroupName="/drifting")
    check()
    assert list(drifts(cloudformation, "DELETED")) == ["Logs"]
    shown = cloudformation.describe_stacks(StackName=STACK)["Stacks"][0]["DriftInformation"]
    assert shown["StackDriftStatus"] == "DRIFTED"
    assert "LastCheckTimestamp" in shown


def test_one_resource_is_checked_alone(cloudformation: Any, client: Callable[[str], Any]) -> None:
    client("logs").put_retention_policy(logGroupName="/drifting", retentionInDays=7)
    found = cloudformation.detect_stack_resource_drift(StackName=STACK, LogicalResourceId="Logs")["StackResourceDrift"]
    assert [each["PropertyPath"] for each in found["PropertyDifferences"]] == ["/RetentionInDays"]
    assert list(drifts(cloudformation)) == ["Logs"]


def test_named_resources_are_checked_and_no_others(cloudformation: Any, check: Callable[..., Any]) -> None:
    check(LogicalResourceIds=["Bucket", "Vpc"])
    assert set(drifts(cloudformation)) == {"Bucket", "Vpc"}


def test_an_update_puts_right_what_it_writes_and_forgets_the_check(
    cloudformation: Any, check: Callable[..., Any], client: Callable[[str], Any]
) -> None:
    client("logs").put_retention_policy(logGroupName="/drifting", retentionInDays=7)
    check()
    template = json.loads(json.dumps(TEMPLATE))
    template["Resources"]["Logs"]["Properties"]["RetentionInDays"] = 60
    cloudformation.update_stack(
        StackName=STACK, TemplateBody=json.dumps(template), Tags=[{"Key": "team", "Value": "a"}]
    )
    shown = cloudformation.describe_stacks(StackName=STACK)["Stacks"][0]
    assert shown["DriftInformation"]["StackDriftStatus"] == "NOT_CHECKED"
    assert check()["StackDriftStatus"] == "IN_SYNC"


def test_a_service_that_does_not_answer_fails_the_check(local_aws: LocalAws, cloudformation: Any) -> None:
    """The other resources are checked all the same."""
    with local_aws.faults.access_denied("logs", "DescribeLogGroups"):
        detection = cloudformation.detect_stack_drift(StackName=STACK)["StackDriftDetectionId"]
    found = cloudformation.describe_stack_drift_detection_status(StackDriftDetectionId=detection)
    assert found["DetectionStatus"] == "DETECTION_FAILED"
    assert "Logs" in found["DetectionStatusReason"]
    assert set(drifts(cloudformation)) == set(TEMPLATE["Resources"]) - {"Logs"}


def test_what_does_not_exist_is_refused(cloudformation: Any, refused: Callable[..., tuple[str, str]]) -> None:
    code, message = refused(cloudformation.detect_stack_resource_drift, StackName=STACK, LogicalResourceId="Nothing")
    assert (code, "Nothing" in message) == ("ValidationError", True)
    nothing = "00000000-0000-0000-0000-000000000000"
    code, message = refused(cloudformation.describe_stack_drift_detection_status, StackDriftDetectionId=nothing)
    assert (code, nothing in message) == ("ValidationError", True)
