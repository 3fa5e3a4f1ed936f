"""``{{resolve:secretsmanager}}``: secrets in the properties of a stack."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from local_aws.server import LocalAws

Deployed = Callable[[str], tuple[str, str]]


@pytest.fixture
def secret(local_aws: LocalAws, client: Callable[[str], Any]) -> Any:
    """Two versions of one with members, and one that is text."""
    local_aws.empty()
    secrets = client("secretsmanager")
    secrets.create_secret(Name="text", SecretString="words")
    made = secrets.create_secret(Name="app/db", SecretString=json.dumps({"user": "old"}))
    secrets.put_secret_value(SecretId="app/db", SecretString=json.dumps({"user": "new", "port": 5432}))
    return made


@pytest.fixture
def deployed(client: Callable[[str], Any]) -> Deployed:
    """The status of a stack with this value, and the parameter's value or the reason of its failure."""

    def deploy(value: str) -> tuple[str, str]:
        properties = {"Name": "/seen", "Type": "String", "Value": value}
        template = json.dumps({"Resources": {"P": {"Type": "AWS::SSM::Parameter", "Properties": properties}}})
        cloudformation = client("cloudformation")
        cloudformation.create_stack(StackName="s", TemplateBody=template, OnFailure="DO_NOTHING")
        status = cloudformation.describe_stacks(StackName="s")["Stacks"][0]["StackStatus"]
        if status == "CREATE_COMPLETE":
            return status, client("ssm").get_parameter(Name="/seen")["Parameter"]["Value"]
        events = cloudformation.describe_stack_events(StackName="s")["StackEvents"]
        return status, next(each["ResourceStatusReason"] for each in events if each["LogicalResourceId"] == "P")

    return deploy


@pytest.mark.parametrize(
    ("reference", "value"),
    [
        ("text", "words"),
        ("text:SecretString", "words"),
        ("app/db:SecretString:user", "new"),
        ("app/db:SecretString:port::", "5432"),
        ("app/db:SecretString:user:AWSPREVIOUS", "old"),
        ("{arn}:SecretString:user::{version}", "old"),
        ("{arn}", '{"user": "new", "port": 5432}'),
    ],
)
def test_a_secret_is_read(secret: Any, deployed: Deployed, reference: str, value: str) -> None:
    resolved = reference.format(arn=secret["ARN"], version=secret["VersionId"])
    found = deployed(f"a-{{{{resolve:secretsmanager:{resolved}}}}}-z")
    assert found == ("CREATE_COMPLETE", f"a-{value}-z")


@pytest.mark.parametrize(
    ("reference", "text"),
    [
        ("none", "Secrets Manager can't find the specified secret."),
        ("app/db:SecretString:none", "Could not find a value associated with JSONKey in SecretString"),
        ("text:SecretString:user", "Could not parse SecretString JSON"),
        ("text:SecretString::NOPE", "Error Code: ResourceNotFoundException"),
        ("text:SecretBinary", "Incorrect format is used in the following Secrets Manager reference"),
        ("text:SecretString::AWSCURRENT:1", "Incorrect format is used in the following Secrets Manager reference"),
        ("text:SecretString::::", "Incorrect format is used in the following Secrets Manager reference"),
    ],
)
@pytest.mark.usefixtures("secret")
def test_a_secret_that_cannot_be_read_fails_the_resource(deployed: Deployed, reference: str, text: str) -> None:
    status, reason = deployed(f"{{{{resolve:secretsmanager:{reference}}}}}")
    assert status == "CREATE_FAILED"
    assert text in reason
