"""Custom resources that functions of the user's own serve: their code runs, and what they answer counts."""

from __future__ import annotations

import io
import json
import urllib.error
import urllib.request
import uuid
import zipfile

import pytest

from local_aws.clients import local_client

ACCOUNT, REGION = "222233334444", "eu-central-1"
ROLE = {
    "Type": "AWS::IAM::Role",
    "Properties": {
        "AssumeRolePolicyDocument": {
            "Version": "2012-10-17",
            "Statement": [
                {"Effect": "Allow", "Principal": {"Service": "lambda.amazonaws.com"}, "Action": "sts:AssumeRole"}
            ],
        }
    },
}
PYTHON = """
import cfnresponse, os
def handler(event, context):
    given = event["ResourceProperties"]
    print(event["RequestType"], event.get("PhysicalResourceId"), given["Name"])
    if given["Name"] == "silent" and event["RequestType"] != "Delete":
        return
    failed = given["Name"] == "refused" and event["RequestType"] != "Delete"
    data = {"Said": os.environ["WORD"] + given["Name"], "Large": "x" * int(given.get("Size", 0))}
    status = cfnresponse.FAILED if failed else cfnresponse.SUCCESS
    cfnresponse.send(event, context, status, data, "made-" + given["Name"], reason="because" if failed else None)
"""
NODE = """
const { IAMClient, GetRoleCommand, NoSuchEntityException } = require('@aws-sdk/client-iam');
const response = require('cfn-response');
exports.handler = (event, context) => {
  const answer = (Arn) => response.send(event, context, response.SUCCESS, { Arn }, 'node');
  new IAMClient({}).send(new GetRoleCommand({ RoleName: event.ResourceProperties.Name })).then(
    (found) => answer(found.Role.Arn),
    (error) => answer(String(error instanceof NoSuchEntityException)),
  );
};
"""


def zipped(files):
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w") as opened:
        for name, text in files.items():
            opened.writestr(name, text)
    return archive.getvalue()


def template(code, runtime="python3.12", *, package=None, **properties):
    """The code inline, or in a package of a bucket: other runtimes than Python and Node.js have no inline code."""
    token = {"Fn::GetAtt": ["Handler", "Arn"]}
    function = {
        "Handler": "index.handler",
        "Role": {"Fn::GetAtt": ["Role", "Arn"]},
        "Runtime": runtime,
        "Timeout": 20,
        "Environment": {"Variables": {"WORD": "hello "}},
        "Code": package or {"ZipFile": code},
    }
    thing = {"Type": "Custom::Thing", "Properties": {"ServiceToken": token, **properties}}
    resources = {"Role": ROLE, "Handler": {"Type": "AWS::Lambda::Function", "Properties": function}, "Thing": thing}
    attribute = "Arn" if runtime.startswith("nodejs") else "Said"
    outputs = {"Said": {"Value": {"Fn::GetAtt": ["Thing", attribute]}}}
    return json.dumps({"Resources": resources, "Outputs": outputs})


@pytest.fixture
def client(local_aws):
    return lambda service: local_client(service, local_aws.endpoint, ACCOUNT, REGION)


@pytest.fixture
def deploy(local_aws, client):
    """Creates or updates a stack, and returns it with its events, oldest first."""

    def make(name, body, operation="create_stack"):
        cloudformation = client("cloudformation")
        getattr(cloudformation, operation)(StackName=name, TemplateBody=body, Capabilities=["CAPABILITY_IAM"])
        local_aws.engine.wait()
        (stack,) = cloudformation.describe_stacks(StackName=name)["Stacks"]
        events = cloudformation.describe_stack_events(StackName=name)["StackEvents"][::-1]
        return stack, [each for each in events if each["LogicalResourceId"] == "Thing"]

    return make


def logged(client, stack):
    resources = client("cloudformation").describe_stack_resources(StackName=stack)["StackResources"]
    name = next(each["PhysicalResourceId"] for each in resources if each["LogicalResourceId"] == "Handler")
    events = client("logs").filter_log_events(logGroupName=f"/aws/lambda/{name}")["events"]
    return [each["message"] for each in events if each["message"].startswith(("Create", "Update", "Delete"))]


def test_a_life_of_create_replace_and_delete(client, deploy, local_aws):
    stack, _ = deploy("life", template(PYTHON, Name="one"))
    assert stack["Outputs"][0]["OutputValue"] == "hello one"
    stack, events = deploy("life", template(PYTHON, Name="two"), "update_stack")
    assert stack["Outputs"][0]["OutputValue"] == "hello two"
    assert logged(client, "life") == ["Create None one", "Update made-one two", "Delete made-one one"]
    after = [(each["ResourceStatus"], each["PhysicalResourceId"]) for each in events[-2:]]
    assert after == [("DELETE_IN_PROGRESS", "made-one"), ("DELETE_COMPLETE", "made-one")]
    client("cloudformation").delete_stack(StackName="life")
    local_aws.engine.wait()
    stacks = client("cloudformation").list_stacks()["StackSummaries"]
    assert [each["StackStatus"] for each in stacks if each["StackName"] == "life"] == ["DELETE_COMPLETE"]


@pytest.mark.exhaustive
@pytest.mark.parametrize(
    ("properties", "reason"),
    [
        ({"Name": "refused"}, "Received response status [FAILED] from custom resource. Message returned: because"),
        ({"Name": "silent"}, "CloudFormation did not receive a response from your Custom Resource"),
        ({"Name": "long", "Size": "4000"}, "Response object is too long."),
    ],
)
def test_a_failure_is_rolled_back_with_a_delete_event(client, deploy, properties, reason):
    name = f"failing-{properties['Name']}"
    stack, events = deploy(name, template(PYTHON, **properties))
    assert stack["StackStatus"] == "ROLLBACK_COMPLETE"
    assert any(reason in each.get("ResourceStatusReason", "") for each in events)


@pytest.mark.exhaustive
def test_a_failed_update_deletes_what_it_made(client, deploy):
    deploy("back", template(PYTHON, Name="one"))
    stack, _ = deploy("back", template(PYTHON, Name="refused"), "update_stack")
    assert stack["StackStatus"] == "UPDATE_ROLLBACK_COMPLETE"
    assert stack["Outputs"][0]["OutputValue"] == "hello one"
    assert logged(client, "back")[:3] == ["Create None one", "Update made-one refused", "Update made-one one"]


@pytest.mark.exhaustive
def test_node_calls_the_local_aws_by_the_sdk_that_lambda_has(client, deploy):
    deploy("roles", template(PYTHON, Name="one"))
    resources = client("cloudformation").describe_stack_resources(StackName="roles")["StackResources"]
    role = next(each["PhysicalResourceId"] for each in resources if each["LogicalResourceId"] == "Role")
    stack, _ = deploy("node", template(NODE, "nodejs22.x", Name=role))
    assert stack["Outputs"][0]["OutputValue"].endswith(f"role/{role}")
    stack, _ = deploy("node", template(NODE, "nodejs22.x", Name="nobody"), "update_stack")
    assert stack["Outputs"][0]["OutputValue"] == "true"


@pytest.mark.exhaustive
@pytest.mark.parametrize(
    ("runtime", "text"), [("java21", "has the runtime java21"), ("provided.al2023", "has the runtime provided.al2023")]
)
def test_a_runtime_that_cannot_run_here_is_named(client, deploy, runtime, text):
    bucket = f"code-{uuid.uuid4()}"
    client("s3").create_bucket(Bucket=bucket, CreateBucketConfiguration={"LocationConstraint": REGION})
    client("s3").put_object(Bucket=bucket, Key="package.zip", Body=zipped({"bootstrap": "exit 0"}))
    package = {"S3Bucket": bucket, "S3Key": "package.zip"}
    stack, events = deploy(f"other-{runtime[:4]}", template("", runtime, package=package, Name="one"))
    assert stack["StackStatus"] == "ROLLBACK_COMPLETE"
    assert any(text in each.get("ResourceStatusReason", "") for each in events)


@pytest.fixture
def function(client):
    """The name of a new function with this code."""

    def make(code, **configuration):
        role = client("iam").create_role(
            RoleName=f"r-{uuid.uuid4()}",
            AssumeRolePolicyDocument=json.dumps(ROLE["Properties"]["AssumeRolePolicyDocument"]),
        )["Role"]["Arn"]
        given = {"Runtime": "python3.12", "Handler": "index.handler", "Timeout": 1, **configuration}
        name = f"f-{uuid.uuid4()}"
        client("lambda").create_function(
            FunctionName=name, Role=role, Code={"ZipFile": zipped({"index.py": code})}, **given
        )
        return name

    return make


def post(url, headers):
    urllib.request.urlopen(urllib.request.Request(url, b"{}", headers)).close()  # noqa: S310 - the local AWS


def test_invoke_returns_the_payload_or_the_error_and_the_log(client, function):
    code = "def handler(event, context):\n    print('seen')\n    return 1 / event['by']\n"
    name = function(code)
    answer = client("lambda").invoke(FunctionName=name, Payload=b'{"by": 2}', LogType="Tail")
    assert (answer["StatusCode"], json.load(answer["Payload"])) == (200, 0.5)
    assert answer["LogResult"] == "c2Vlbgo="
    answer = client("lambda").invoke(FunctionName=name, Payload=b'{"by": 0}')
    assert answer["FunctionError"] == "Unhandled"
    assert json.load(answer["Payload"])["errorType"] == "ZeroDivisionError"


def test_a_request_that_is_not_signed_or_comes_from_a_web_page_runs_nothing(client, function, local_aws, tmp_path):
    trace = tmp_path / "trace"
    name = function(f"def handler(event, context):\n    open({str(trace)!r}, 'w').close()\n")
    url = f"{local_aws.endpoint}/2015-03-31/functions/{name}/invocations"
    credential = f"AWS4-HMAC-SHA256 Credential={ACCOUNT}/20260101/{REGION}/lambda/aws4_request"
    forged = {"Authorization": f"{credential}, SignedHeaders=host, Signature={'0' * 64}"}
    for headers in ({}, forged, {"Origin": "https://evil.example"}, {"Sec-Fetch-Site": "cross-site"}):
        with pytest.raises(urllib.error.HTTPError) as refused:
            post(url, headers)
        with refused.value:
            assert refused.value.code == 403
    assert not trace.exists()
    client("lambda").invoke(FunctionName=name)
    assert trace.exists()
