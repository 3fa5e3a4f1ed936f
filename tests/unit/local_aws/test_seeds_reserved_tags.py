"""E8704 in calls: a tag whose key begins with aws: is refused by every service, in its own words."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from botocore.exceptions import ClientError

from local_aws.clients import local_client
from local_aws.server import LocalAws
from local_aws.services.reserved_tags import is_reserved, tag_keys, tagging_operations
from local_aws.services.seed_data import seed_data

ACCOUNT, REGION = "650000000000", "us-west-2"
Clients = Callable[[str], Any]
TAG = {"Key": "aws:mine", "Value": "1"}
TRUST = json.dumps(
    {
        "Version": "2012-10-17",
        "Statement": [{"Effect": "Allow", "Principal": {"Service": "ec2.amazonaws.com"}, "Action": "sts:AssumeRole"}],
    }
)
NOT_ALLOWED = "aws: prefixed tag key names are not allowed for external use."
RESERVED = "Tag keys starting with 'aws:' are reserved for internal use"


def of(kind: str) -> dict[str, Any]:
    return {"TagSpecifications": [{"ResourceType": kind, "Tags": [TAG]}]}


CALLS: list[tuple[str, str, dict[str, Any], tuple[str, str]]] = [
    ("ec2", "create_vpc", {"CidrBlock": "10.0.0.0/16", **of("vpc")}, ("InvalidParameterValue", RESERVED)),
    ("ec2", "create_tags", {"Resources": ["vpc-1"], "Tags": [TAG]}, ("InvalidParameterValue", RESERVED)),
    (
        "ec2",
        "run_instances",
        {"ImageId": "ami-1", "MinCount": 1, "MaxCount": 1, **of("instance")},
        ("InvalidParameterValue", RESERVED),
    ),
    (
        "ec2",
        "create_launch_template",
        {"LaunchTemplateName": "tagged", "LaunchTemplateData": of("instance")},
        ("InvalidTagKey.Malformed", f"The tag key 'aws:mine' is not valid. {RESERVED}."),
    ),
    (
        "iam",
        "create_role",
        {"RoleName": "r", "AssumeRolePolicyDocument": TRUST, "Tags": [TAG]},
        ("InvalidInput", NOT_ALLOWED),
    ),
    ("iam", "tag_role", {"RoleName": "r", "Tags": [TAG]}, ("InvalidInput", NOT_ALLOWED)),
    ("kms", "create_key", {"Tags": [{"TagKey": "aws:mine", "TagValue": "1"}]}, ("TagException", NOT_ALLOWED)),
    (
        "ssm",
        "put_parameter",
        {"Name": "/p", "Value": "1", "Type": "String", "Tags": [TAG]},
        ("ValidationException", NOT_ALLOWED),
    ),
    (
        "logs",
        "create_log_group",
        {"logGroupName": "g", "tags": {"aws:mine": "1"}},
        ("InvalidParameterException", NOT_ALLOWED),
    ),
    (
        "s3",
        "put_bucket_tagging",
        {"Bucket": "b", "Tagging": {"TagSet": [TAG]}},
        ("InvalidTag", "System tags cannot be added/updated by requester"),
    ),
    (
        "eks",
        "create_cluster",
        {"name": "c", "roleArn": "arn:aws:iam::1:role/r", "resourcesVpcConfig": {}, "tags": {"aws:mine": "1"}},
        ("InvalidParameterException", NOT_ALLOWED),
    ),
    (
        "eks",
        "tag_resource",
        {"resourceArn": "arn:aws:eks:us-west-2:1:cluster/c", "tags": {"aws:mine": "1"}},
        ("BadRequestException", NOT_ALLOWED),
    ),
    (
        "fsx",
        "create_file_system",
        {"FileSystemType": "LUSTRE", "SubnetIds": ["subnet-12345678"], "Tags": [TAG]},
        ("BadRequest", NOT_ALLOWED),
    ),
    (
        "ecr",
        "create_repository",
        {"repositoryName": "repository", "tags": [TAG]},
        ("InvalidTagParameterException", NOT_ALLOWED),
    ),
    (
        "cloudformation",
        "create_stack",
        {"StackName": "s", "TemplateBody": "{}", "Tags": [TAG]},
        ("ValidationError", NOT_ALLOWED),
    ),
]


@pytest.fixture(scope="module")
def client(local_aws: LocalAws) -> Clients:
    return lambda service: local_client(service, local_aws.endpoint, ACCOUNT, REGION)


@pytest.mark.parametrize(
    ("service", "call", "parameters", "refusal"), CALLS, ids=[f"{row[0]}-{row[1]}" for row in CALLS]
)
def test_a_reserved_key_is_refused(
    client: Clients, service: str, call: str, parameters: dict[str, Any], refusal: tuple[str, str]
) -> None:
    with pytest.raises(ClientError) as error:
        getattr(client(service), call)(**parameters)
    reported = error.value.response["Error"]
    assert (reported["Code"], reported["Message"]) == refusal


def test_other_keys_are_taken_and_kept(client: Clients) -> None:
    """Bodies that a guard has read reach the service whole."""
    s3, tags = client("s3"), [{"Key": "aws", "Value": "1"}, {"Key": "my:aws:tag", "Value": "2"}]
    s3.create_bucket(Bucket="tagged", CreateBucketConfiguration={"LocationConstraint": REGION})
    s3.put_bucket_tagging(Bucket="tagged", Tagging={"TagSet": tags})
    assert s3.get_bucket_tagging(Bucket="tagged")["TagSet"] == tags
    s3.put_object(Bucket="tagged", Key="k", Body=b"bytes", Tagging="a=1")
    s3.put_object_tagging(Bucket="tagged", Key="k", Tagging={"TagSet": tags[1:]})
    assert s3.get_object(Bucket="tagged", Key="k")["Body"].read() == b"bytes"
    assert s3.get_object_tagging(Bucket="tagged", Key="k")["TagSet"] == tags[1:]


def test_a_refused_call_makes_nothing(client: Clients) -> None:
    before = {row["VpcId"] for row in client("ec2").describe_vpcs()["Vpcs"]}
    with pytest.raises(ClientError):
        client("ec2").create_vpc(CidrBlock="10.9.0.0/16", **of("vpc"))
    assert {row["VpcId"] for row in client("ec2").describe_vpcs()["Vpcs"]} == before


@pytest.mark.parametrize(
    ("kind", "properties"),
    [
        ("AWS::EC2::VPC", {"CidrBlock": "10.0.0.0/16", "Tags": [TAG]}),
        ("AWS::S3::Bucket", {"BucketName": "of-a-stack", "Tags": [TAG]}),
        ("AWS::Logs::LogGroup", {"LogGroupName": "of-a-stack", "Tags": [TAG]}),
    ],
)
def test_a_stack_with_a_reserved_key_fails(client: Clients, kind: str, properties: dict[str, Any]) -> None:
    """It is not dropped on the way to the service."""
    stacks, name = client("cloudformation"), f"s-{kind.rpartition(':')[2]}"
    stacks.create_stack(
        StackName=name,
        TemplateBody=json.dumps({"Resources": {"R": {"Type": kind, "Properties": properties}}}),
        OnFailure="DO_NOTHING",
    )
    with pytest.raises(Exception, match="CREATE_FAILED"):
        stacks.get_waiter("stack_create_complete").wait(StackName=name, WaiterConfig={"Delay": 1})
    events = stacks.describe_stack_events(StackName=name)["StackEvents"]
    reasons = [each["ResourceStatusReason"] for each in events if each["ResourceStatus"] == "CREATE_FAILED"]
    assert any("reserved" in reason or "not allowed" in reason or "System tags" in reason for reason in reasons)


@pytest.mark.parametrize("key", ["aws:x", "AWS:x", "Aws:cloudformation:stack-name"])
def test_the_prefix_says_which_keys_are_reserved(key: str) -> None:
    assert [each for each in (key, "aws", "mine") if is_reserved(each)] == [key]


@pytest.mark.parametrize("service", sorted(seed_data("reserved_tags")))
def test_every_code_is_one_that_the_service_has(service: str) -> None:
    """In its model, or documented elsewhere; and every exception to the row is an operation that takes tags."""
    from moto.core.utils import get_service_model

    row = seed_data("reserved_tags")[service]
    assert set(row.get("operations", {})) <= set(tagging_operations(service))
    assert row["source"]
    unlisted = {"ec2", "cloudformation", "s3", "ssm"}  # their models do not list such codes
    if service not in unlisted:
        model = get_service_model(service)
        codes = {shape.metadata.get("error", {}).get("code", shape.name) for shape in model.error_shapes}
        assert {row["code"], *(each["code"] for each in row.get("operations", {}).values())} <= codes


def test_operations_that_take_tags_are_found_by_their_shapes() -> None:
    assert {"CreateVpc", "CreateTags", "RunInstances", "CreateLaunchTemplate"} <= set(tagging_operations("ec2"))
    assert not any(name.startswith(("Delete", "Describe")) for name in tagging_operations("ec2"))
    assert set(tagging_operations("kms")) == {"CreateKey", "ReplicateKey", "TagResource"}


def test_keys_are_found_wherever_a_request_holds_them() -> None:
    request = {
        "Tags": [{"TagKey": "a"}],
        "TagSpecifications": [{"Tags": [{"Key": "b"}]}],
        "tags": {"c": ""},
        "Tagging": "d=1",
    }
    assert list(tag_keys(request)) == ["a", "b", "c"]
