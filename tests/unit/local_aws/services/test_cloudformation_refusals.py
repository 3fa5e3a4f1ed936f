"""Requests that CloudFormation rejects, call by call."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from local_aws.server import LocalAws

Refused = Callable[..., tuple[str, str]]
PARAMETER = {"Type": "AWS::SSM::Parameter", "Properties": {"Type": "String", "Value": "x"}}


@pytest.fixture
def cloudformation(local_aws: LocalAws, client: Callable[[str], Any]) -> Any:
    """Without any stack."""
    local_aws.empty()
    return client("cloudformation")


def body(**resources: Any) -> str:
    return json.dumps({"Resources": resources})


@pytest.mark.parametrize(
    ("template", "text"),
    [
        ({"Resources": {"A": []}}, "[/Resources/A] resource definition is malformed"),
        (
            {"Conditions": {"C": {"Fn::Maybe": []}}, "Resources": {"A": {**PARAMETER, "Condition": "C"}}},
            "Conditions can only be boolean operations",
        ),
    ],
)
def test_a_template_is_refused(cloudformation: Any, refused: Refused, template: Any, text: str) -> None:
    code, message = refused(cloudformation.create_stack, StackName="refused", TemplateBody=json.dumps(template))
    assert (code, text in message) == ("ValidationError", True), message


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("{{resolve:ssm:/none}}", "Parameters: [ssm:/none] cannot be found."),
        ({"Fn::GetAtt": ["Other", "Colour"]}, "Requested attribute Colour does not exist in schema"),
    ],
)
def test_a_value_that_cannot_be_found_fails_the_stack(cloudformation: Any, value: Any, text: str) -> None:
    wanted = {"Type": PARAMETER["Type"], "Properties": {"Type": "String", "Value": value}}
    template = body(Other=PARAMETER, Wanted=wanted)
    cloudformation.create_stack(StackName="failing", TemplateBody=template, OnFailure="DO_NOTHING")
    events = cloudformation.describe_stack_events(StackName="failing")["StackEvents"]
    assert any(text in event.get("ResourceStatusReason", "") for event in events), events


def test_an_output_without_a_value_is_refused(cloudformation: Any, refused: Refused) -> None:
    template = json.dumps({"Resources": {"A": PARAMETER}, "Outputs": {"O": {"Description": "nothing"}}})
    code, message = refused(cloudformation.create_stack, StackName="refused", TemplateBody=template)
    assert (code, "Output O is malformed" in message) == ("ValidationError", True)


def test_a_template_is_given_as_text_or_as_an_object(cloudformation: Any, refused: Refused) -> None:
    text = "Either Template URL or Template Body must be specified."
    assert refused(cloudformation.create_stack, StackName="none") == ("ValidationError", text)
    assert refused(cloudformation.validate_template) == ("ValidationError", text)
    url = "https://no-such-bucket-here.s3.us-west-2.amazonaws.com/t"
    code, message = refused(cloudformation.create_stack, StackName="none", TemplateURL=url)
    assert (code, message.startswith("S3 error: ")) == ("ValidationError", True)


def test_a_rollback_that_has_not_failed_does_not_go_on(cloudformation: Any, refused: Refused) -> None:
    cloudformation.create_stack(StackName="there", TemplateBody=body(A=PARAMETER))
    code, message = refused(cloudformation.continue_update_rollback, StackName="there")
    assert (code, message.endswith("can not continue rollback.")) == ("ValidationError", True)


def test_a_rollback_goes_on_past_failed_resources_alone(
    local_aws: LocalAws, cloudformation: Any, refused: Refused
) -> None:
    later = {**PARAMETER, "Properties": {"Type": "String", "Value": "y"}}
    cloudformation.create_stack(StackName="there", TemplateBody=body(A=PARAMETER, B={**PARAMETER, "DependsOn": "A"}))
    with local_aws.faults.failing("update", PARAMETER["Type"]):
        cloudformation.update_stack(StackName="there", TemplateBody=body(A=later, B={**later, "DependsOn": "A"}))
    assert cloudformation.describe_stacks(StackName="there")["Stacks"][0]["StackStatus"] == "UPDATE_ROLLBACK_FAILED"
    for name in ("B", "Nothing"):
        text = f"Resource {name} is not in UPDATE_FAILED state and cannot be skipped"
        answer = refused(cloudformation.continue_update_rollback, StackName="there", ResourcesToSkip=[name])
        assert answer == ("ValidationError", text)
    cloudformation.continue_update_rollback(StackName="there", ResourcesToSkip=["A"])


def test_a_stack_without_a_deployment_has_no_template_and_no_drift(cloudformation: Any, refused: Refused) -> None:
    given = {"StackName": "reviewed", "ChangeSetName": "c", "ChangeSetType": "CREATE"}
    cloudformation.create_change_set(**given, TemplateBody=body(A=PARAMETER))
    assert "has no template" in refused(cloudformation.get_template_summary, StackName="reviewed")[1]
    code, message = refused(cloudformation.detect_stack_drift, StackName="reviewed")
    assert (code, "REVIEW_IN_PROGRESS" in message) == ("ValidationError", True)


def test_a_resource_of_no_stack_is_not_found(cloudformation: Any, refused: Refused) -> None:
    code, message = refused(cloudformation.describe_stack_resources, PhysicalResourceId="vpc-none")
    assert (code, message) == ("ValidationError", "Stack for vpc-none does not exist")


def test_a_stack_at_work_is_not_deleted(local_aws: LocalAws, cloudformation: Any, refused: Refused) -> None:
    with local_aws.faults.slow("create", PARAMETER["Type"]) as fault:
        cloudformation.create_stack(StackName="busy", TemplateBody=body(A=PARAMETER))
        assert fault.reached.wait(60)
        code, message = refused(cloudformation.delete_stack, StackName="busy")
    local_aws.engine.wait()
    assert (code, message.endswith("can not be deleted.")) == ("ValidationError", True)
