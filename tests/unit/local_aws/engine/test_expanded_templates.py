"""Stacks whose templates have loops, and the two stages in which a template is shown."""

from __future__ import annotations

import json

import pytest

from local_aws.clients import local_client

PARAMETER = {"Type": "AWS::SSM::Parameter", "Properties": {"Type": "String", "Value": "${Name}"}}
TEMPLATE = {
    "Transform": "AWS::LanguageExtensions",
    "Parameters": {"Names": {"Type": "CommaDelimitedList"}},
    "Resources": {"Fn::ForEach::All": ["Name", {"Ref": "Names"}, {"P${Name}": PARAMETER}]},
}


@pytest.fixture
def cloudformation(local_aws):
    return local_client("cloudformation", local_aws.endpoint, "333344445555", "us-west-2")


def test_a_list_that_grows_adds_resources(cloudformation, local_aws):
    def given(value):
        return [{"ParameterKey": "Names", "ParameterValue": value}]

    def ids():
        found = cloudformation.describe_stack_resources(StackName="loops")["StackResources"]
        return sorted(each["LogicalResourceId"] for each in found)

    cloudformation.create_stack(StackName="loops", TemplateBody=json.dumps(TEMPLATE), Parameters=given("a,b"))
    local_aws.engine.wait()
    assert ids() == ["Pa", "Pb"]
    cloudformation.update_stack(StackName="loops", UsePreviousTemplate=True, Parameters=given("b,c"))
    local_aws.engine.wait()
    assert ids() == ["Pb", "Pc"]
    original = cloudformation.get_template(StackName="loops", TemplateStage="Original")["TemplateBody"]
    processed = cloudformation.get_template(StackName="loops", TemplateStage="Processed")["TemplateBody"]
    assert original == TEMPLATE
    assert processed["Resources"]["Pc"]["Properties"]["Value"] == "c"
