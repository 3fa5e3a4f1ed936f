"""The calls of ``cdk import``, with resources of real services."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from botocore.exceptions import ClientError

from local_aws.server import LocalAws

BUCKET, ROLE = "AWS::S3::Bucket", "AWS::IAM::Role"
TRUST = {"Version": "2012-10-17", "Statement": [{"Effect": "Allow", "Principal": {"Service": "ec2.amazonaws.com"},
         "Action": "sts:AssumeRole"}]}  # fmt: skip
RESOURCES = {
    "Bucket": {"Type": BUCKET, "DeletionPolicy": "Retain", "Properties": {"BucketName": "kept"}},
    "Role": {
        "Type": ROLE,
        "DeletionPolicy": "Delete",
        "Properties": {"RoleName": "kept", "AssumeRolePolicyDocument": TRUST},
    },
}
TO_IMPORT = [
    {"ResourceType": BUCKET, "LogicalResourceId": "Bucket", "ResourceIdentifier": {"BucketName": "kept"}},
    {"ResourceType": ROLE, "LogicalResourceId": "Role", "ResourceIdentifier": {"RoleName": "kept"}},
]


@pytest.fixture
def cloudformation(local_aws: LocalAws, client: Callable[[str], Any]) -> Any:
    """With a bucket and a role that are in no stack."""
    local_aws.empty()
    client("s3").create_bucket(Bucket="kept", CreateBucketConfiguration={"LocationConstraint": "us-west-2"})
    client("iam").create_role(RoleName="kept", AssumeRolePolicyDocument=json.dumps(TRUST))
    return client("cloudformation")


def plan(cloudformation: Any, **given: Any) -> Any:
    request = {"StackName": "s", "ChangeSetName": "c", "TemplateBody": json.dumps({"Resources": RESOURCES})}
    capabilities = ["CAPABILITY_NAMED_IAM"]
    return cloudformation.create_change_set(**{**request, "Capabilities": capabilities, **given})


def test_resources_are_imported(local_aws, cloudformation, client):
    body = json.dumps({"Resources": RESOURCES})
    summary = cloudformation.get_template_summary(TemplateBody=body)["ResourceIdentifierSummaries"]
    assert [(each["ResourceType"], each["ResourceIdentifiers"]) for each in summary] == [
        (BUCKET, ["BucketName"]),
        (ROLE, ["RoleName"]),
    ]
    plan(cloudformation, ChangeSetType="IMPORT", ResourcesToImport=TO_IMPORT)
    described = cloudformation.describe_change_set(StackName="s", ChangeSetName="c")
    actions = [each["ResourceChange"]["Action"] for each in described["Changes"]]
    assert (described["Status"], actions) == ("CREATE_COMPLETE", ["Import", "Import"])
    cloudformation.execute_change_set(StackName="s", ChangeSetName="c")
    cloudformation.get_waiter("stack_import_complete").wait(StackName="s")
    tagged = json.loads(body)
    tagged["Resources"]["Role"]["Properties"]["Description"] = "imported"
    tagged["Outputs"] = {"Arn": {"Value": {"Fn::GetAtt": ["Role", "Arn"]}}}
    cloudformation.update_stack(StackName="s", TemplateBody=json.dumps(tagged), Capabilities=["CAPABILITY_NAMED_IAM"])
    local_aws.engine.wait()
    stack = cloudformation.describe_stacks(StackName="s")["Stacks"][0]
    arn = client("iam").get_role(RoleName="kept")["Role"]["Arn"]
    assert (stack["StackStatus"], stack["Outputs"][0]["OutputValue"]) == ("UPDATE_COMPLETE", arn)
    cloudformation.delete_stack(StackName="s")
    cloudformation.get_waiter("stack_delete_complete").wait(StackName=stack["StackId"])
    assert [each["Name"] for each in client("s3").list_buckets()["Buckets"]] == ["kept"]
    assert client("iam").list_roles()["Roles"] == []


def test_existing_resources_are_imported(local_aws, cloudformation, client):
    retained = {**RESOURCES, "Role": {**RESOURCES["Role"], "DeletionPolicy": "Retain"}}
    body = json.dumps({"Resources": retained})
    plan(cloudformation, TemplateBody=body, ChangeSetType="CREATE", ImportExistingResources=True)
    cloudformation.execute_change_set(StackName="s", ChangeSetName="c")
    cloudformation.get_waiter("stack_create_complete").wait(StackName="s")
    events = cloudformation.describe_stack_events(StackName="s")["StackEvents"]
    assert {each["LogicalResourceId"] for each in events if each["ResourceStatus"] == "IMPORT_COMPLETE"} == {
        "Bucket",
        "Role",
    }


@pytest.mark.parametrize(
    ("given", "text"),
    [
        ({"ChangeSetType": "IMPORT"}, "ResourcesToImport is required"),
        ({"ChangeSetType": "CREATE", "ResourcesToImport": TO_IMPORT}, "type IMPORT only"),
        ({"ChangeSetType": "IMPORT", "ResourcesToImport": TO_IMPORT * 2}, r"duplicate .* \['Bucket', 'Role'\]"),
    ],
)
def test_requests_that_are_rejected(cloudformation, given, text):
    with pytest.raises(ClientError, match=text):
        plan(cloudformation, **given)
