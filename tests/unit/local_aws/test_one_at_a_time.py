"""Resources of which their holder has one at a time: replaced, renamed and rolled back, and never lost."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from botocore.exceptions import ClientError

from local_aws.clients import local_client
from local_aws.server import LocalAws

pytestmark = pytest.mark.slow

ACCOUNT, REGION = "410000000000", "us-west-2"
ASSOCIATION, POLICY = "AWS::EC2::SubnetRouteTableAssociation", "AWS::S3::BucketPolicy"
NETWORK: dict[str, Any] = {
    "Vpc": {"Type": "AWS::EC2::VPC", "Properties": {"CidrBlock": "10.0.0.0/16"}},
    "Subnet": {"Type": "AWS::EC2::Subnet", "Properties": {"VpcId": {"Ref": "Vpc"}, "CidrBlock": "10.0.0.0/24"}},
    "One": {"Type": "AWS::EC2::RouteTable", "Properties": {"VpcId": {"Ref": "Vpc"}}},
    "Two": {"Type": "AWS::EC2::RouteTable", "Properties": {"VpcId": {"Ref": "Vpc"}}},
}
BUCKET = {"Bucket": {"Type": "AWS::S3::Bucket"}}
TAKEN = {
    "Taken": {
        "Type": "AWS::EC2::Subnet",
        "DependsOn": "Link",
        "Properties": {"VpcId": {"Ref": "Vpc"}, "CidrBlock": "10.0.0.128/25"},
    }
}
FAILS = {
    "Fails": {
        "Type": "AWS::EC2::Subnet",
        "DependsOn": "Link",
        # Only the service knows the block, so that only the deployment finds that it has no such part.
        "Properties": {
            "VpcId": {"Ref": "Vpc"},
            "CidrBlock": {"Fn::Select": [0, {"Fn::Cidr": [{"Fn::GetAtt": ["Vpc", "CidrBlock"]}, 1, 20]}]},
        },
    }
}


def link(table: str) -> dict[str, Any]:
    return {"Type": ASSOCIATION, "Properties": {"SubnetId": {"Ref": "Subnet"}, "RouteTableId": {"Ref": table}}}


def policy(action: str) -> dict[str, Any]:
    statement = {
        "Effect": "Deny",
        "Principal": "*",
        "Action": action,
        "Resource": {"Fn::Sub": "${Bucket.Arn}/*"},
    }
    document = {"Version": "2012-10-17", "Statement": [statement]}
    return {"Type": POLICY, "Properties": {"Bucket": {"Ref": "Bucket"}, "PolicyDocument": document}}


@pytest.fixture(scope="module")
def client() -> Iterator[Callable[[str], Any]]:
    with LocalAws() as local_aws:
        yield lambda service: local_client(service, local_aws.endpoint, ACCOUNT, REGION)


@pytest.fixture
def cloudformation(client: Callable[[str], Any]) -> Any:
    return client("cloudformation")


@pytest.fixture
def bring(cloudformation: Any, request: pytest.FixtureRequest) -> Iterator[Callable[..., str]]:
    """Makes or changes the stack of this test; its status at the end."""
    name = request.node.name.replace("_", "-").replace("[", "-").rstrip("]")[:60]

    def stable() -> str:
        while True:
            try:
                status: str = cloudformation.describe_stacks(StackName=name)["Stacks"][0]["StackStatus"]
            except ClientError:
                return "DELETE_COMPLETE"
            if not status.endswith("IN_PROGRESS"):
                return status

    def run(verb: str, resources: dict[str, Any]) -> str:
        getattr(cloudformation, f"{verb}_stack")(StackName=name, TemplateBody=json.dumps({"Resources": resources}))
        return stable()

    run.name = name  # type: ignore[attr-defined]  # a test asks for the resources of its stack
    yield run
    cloudformation.delete_stack(StackName=name)
    assert stable() == "DELETE_COMPLETE"


@pytest.fixture
def table_of_subnet(client: Callable[[str], Any], cloudformation: Any, bring: Any) -> Callable[[], str | None]:
    """The logical id of the table that the subnet of this test has, told by EC2."""

    def found() -> str | None:
        rows = cloudformation.list_stack_resources(StackName=bring.name)["StackResourceSummaries"]
        ids = {row["PhysicalResourceId"]: row["LogicalResourceId"] for row in rows}
        subnet = next(physical for physical, logical in ids.items() if logical == "Subnet")
        filters = [{"Name": "association.subnet-id", "Values": [subnet]}]
        tables = client("ec2").describe_route_tables(Filters=filters)["RouteTables"]
        return next((ids[table["RouteTableId"]] for table in tables), None)

    return found


def test_a_subnet_comes_to_another_table(bring: Any, table_of_subnet: Callable[[], str | None]) -> None:
    assert bring("create", {**NETWORK, "Link": link("One")}) == "CREATE_COMPLETE"
    assert table_of_subnet() == "One"
    assert bring("update", {**NETWORK, "Link": link("Two")}) == "UPDATE_COMPLETE"
    assert table_of_subnet() == "Two"


def test_a_subnet_comes_back_to_its_table_when_the_update_fails(
    bring: Any, table_of_subnet: Callable[[], str | None]
) -> None:
    assert bring("create", {**NETWORK, "Link": link("One")}) == "CREATE_COMPLETE"
    assert bring("update", {**NETWORK, "Link": link("Two"), **TAKEN}) == "UPDATE_ROLLBACK_COMPLETE"
    assert table_of_subnet() == "One"


def test_a_subnet_keeps_its_table_when_another_resource_wants_it(
    bring: Any, table_of_subnet: Callable[[], str | None]
) -> None:
    """An association of another logical id is made before the old one goes, which EC2 refuses."""
    assert bring("create", {**NETWORK, "Link": link("One")}) == "CREATE_COMPLETE"
    assert bring("update", {**NETWORK, "Other": link("Two")}) == "UPDATE_ROLLBACK_COMPLETE"
    assert table_of_subnet() == "One"


def test_a_function_that_cannot_be_computed_takes_back_what_was_made(bring: Any, client: Callable[[str], Any]) -> None:
    before = client("ec2").describe_vpcs()["Vpcs"]
    assert bring("create", {**NETWORK, "Link": link("One"), **FAILS}) == "ROLLBACK_COMPLETE"
    assert client("ec2").describe_vpcs()["Vpcs"] == before


def test_a_second_policy_of_a_bucket_is_refused_and_the_first_one_stays(
    bring: Any, client: Callable[[str], Any], cloudformation: Any
) -> None:
    """Also when it is the same one under another logical id: the new one would be made before the old one goes."""
    assert bring("create", {**BUCKET, "Old": policy("s3:PutObject")}) == "CREATE_COMPLETE"
    s3 = client("s3")
    bucket = cloudformation.describe_stack_resource(StackName=bring.name, LogicalResourceId="Bucket")
    name = {"Bucket": bucket["StackResourceDetail"]["PhysicalResourceId"]}
    before = s3.get_bucket_policy(**name)["Policy"]
    assert bring("update", {**BUCKET, "New": policy("s3:DeleteObject")}) == "UPDATE_ROLLBACK_COMPLETE"
    assert s3.get_bucket_policy(**name)["Policy"] == before
    events = cloudformation.describe_stack_events(StackName=bring.name)["StackEvents"]
    said = [each.get("ResourceStatusReason", "") for each in events if each["ResourceStatus"] == "CREATE_FAILED"]
    assert f"The bucket policy already exists on bucket {name['Bucket']}." in said[0]
    assert "HandlerErrorCode: AlreadyExists" in said[0]


def test_a_nested_stack_that_fails_leaves_nothing(
    bring: Any, client: Callable[[str], Any], cloudformation: Any
) -> None:
    s3 = client("s3")
    s3.create_bucket(Bucket="templates-of-nested", CreateBucketConfiguration={"LocationConstraint": REGION})
    url = f"https://templates-of-nested.s3.{REGION}.amazonaws.com/child.json"

    def put(name: str) -> None:
        group = {"Type": "AWS::Logs::LogGroup", "Properties": {"LogGroupName": name}}
        s3.put_object(Bucket="templates-of-nested", Key="child.json", Body=json.dumps({"Resources": {"Group": group}}))

    def live() -> list[str]:
        rows = cloudformation.describe_stacks()["Stacks"]
        return [row["StackName"] for row in rows if row["StackName"].startswith(bring.name)]

    nested = {"Child": {"Type": "AWS::CloudFormation::Stack", "Properties": {"TemplateURL": url}}}
    put("taken")
    client("logs").create_log_group(logGroupName="taken")
    assert bring("create", nested) == "ROLLBACK_COMPLETE"
    assert live() == [bring.name]
    cloudformation.delete_stack(StackName=bring.name)
    put("free")
    assert bring("create", nested) == "CREATE_COMPLETE"
    assert [name.startswith(f"{bring.name}-Child-") for name in live() if name != bring.name] == [True]
