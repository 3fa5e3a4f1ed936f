"""Requests that are rejected at once: no stack is made of them, and none is changed."""

from __future__ import annotations

from datetime import timedelta

import pytest

from local_aws.clock import CLOCK
from local_aws.cloudformation.errors import TemplateError
from local_aws.contract import ServiceError

NAMES = {"Names": {"Type": "CommaDelimitedList", "Default": "a,b"}}


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ({"Fn::Sub": "a-${Names}"}, "every variable of a Fn::Sub must have a String-typed value"),
        ({"Fn::Sub": ["${V}", {"V": {"K": "v"}}]}, "every variable of a Fn::Sub must have a String-typed value"),
        ({"Fn::Join": ["-", [{"Ref": "Names"}]]}, "every Fn::Join object requires two parameters"),
        ({"Fn::Join": ["-", [{"K": "v"}]]}, "every Fn::Join object requires two parameters"),
        ({"Fn::Rot13": "a"}, "Encountered unsupported function: Fn::Rot13"),
        ({"List": [{"Fn::Length": ["a"]}]}, "Encountered unsupported function: Fn::Length"),
        ("{{resolve:vault:key}}", "does not resolve dynamic references to vault"),
        (["{{resolve:ssm-secure:/key:1}}"], r"supported in: \[AWS::EC2::Subnet/Properties/Value\]"),
        ({"Fn::FindInMap": ["None", "a", "b"]}, "Mapping named 'None' is not present in the 'Mappings' section"),
        ({"Fn::FindInMap": ["Sizes", {"Ref": "AWS::Region"}, "b"]}, "get mapping for Sizes::eu-west-1::b"),
        ({"Fn::Select": ["first", ["a"]]}, "Fn::Select requires a list argument with two elements"),
        ({"Fn::Select": [2, ["a"]]}, "Fn::Select cannot select nonexistent value at index 2"),
        ({"Fn::Cidr": ["10.0.0.0/24", 3, 7]}, "Fn::Cidr cannot make 3 blocks of 7 bits"),
        ({"Fn::Cidr": ["10.0.0.0/24"]}, r"Fn::Cidr requires \(1\) an address block"),
    ],
)
def test_a_value_that_there_cannot_be(cloud, resource, value, text):
    mappings = {"Sizes": {"us-west-2": {"b": "1"}}}
    template = {"Parameters": NAMES, "Mappings": mappings, "Resources": {"A": resource(Value=value)}}
    with pytest.raises(TemplateError, match=text):
        cloud.create("s", template)
    assert cloud.find("s") is None


@pytest.mark.parametrize("node", [{"Fn::Rot13": "a"}, "{{resolve:vault:key}}"])
def test_an_unknown_function_is_found_where_it_is_not_used(cloud, resource, node):
    """In a resource whose condition does not hold."""
    template = {
        "Conditions": {"Never": {"Fn::Equals": ["a", "b"]}},
        "Resources": {"A": resource(), "B": resource(Condition="Never", Value=node)},
    }
    with pytest.raises(TemplateError):
        cloud.create("s", template)


def test_a_missing_mapping_with_a_default_value_is_none(cloud, resource):
    find = {"Fn::FindInMap": ["None", "a", "b", {"DefaultValue": "d"}]}
    template = {"Transform": "AWS::LanguageExtensions", "Resources": {"A": resource(Value=find)}}
    assert cloud.create("s", template).resources["A"].properties == {"Value": "d"}


@pytest.mark.parametrize(
    "given",
    [
        {"DeploymentMode": "REVERT_DRIFT"},
        {"StackPolicyURL": "https://x"},
        {"StackPolicyDuringUpdateBody": "{}"},
        {"StackPolicyDuringUpdateURL": "https://x"},
        {"RollbackConfiguration": {"RollbackTriggers": [{"Arn": "a", "Type": "AWS::CloudWatch::Alarm"}]}},
        {"RollbackConfiguration": {"MonitoringTimeInMinutes": 1}},
    ],
)
def test_members_that_are_not_supported(cloud, template, resource, given):
    with pytest.raises(ServiceError, match="this local AWS does not support"):
        cloud.create("s", template(A=resource()), **given)
    empty = {"RollbackConfiguration": {"RollbackTriggers": []}}
    assert cloud.create("s", template(A=resource()), **empty).status == "CREATE_COMPLETE"


def test_a_request_to_import_existing_resources_is_taken_where_there_are_none(cloud, template, resource):
    """`cdk bootstrap` sends the member, most often with nothing to import."""
    given = {"ImportExistingResources": True}
    assert cloud.create("s", template(A=resource()), **given).status == "CREATE_COMPLETE"


def test_resource_types(cloud, template, resource):
    two = template(A=resource(), B=resource("AWS::SSM::Parameter"))
    with pytest.raises(TemplateError, match=r"AWS::SSM::Parameter is not allowed by parameter ResourceTypes"):
        cloud.create("s", two, ResourceTypes=["AWS::EC2::*"])
    assert cloud.create("s", two, ResourceTypes=["AWS::EC2::*", "AWS::SSM::Parameter"]).status == "CREATE_COMPLETE"


def test_a_deployment_configuration_disables_the_rollback(cloud, template, resource):
    config = {"Mode": "STANDARD", "DisableRollback": True}
    stack = cloud.create("s", template(A=resource(Value="refused")), DeploymentConfig=config)
    assert stack.status == "CREATE_FAILED"
    stack = cloud.execute(cloud.change_set("s", template(A=resource(Value="refused", X="1")), DeploymentConfig=config))
    assert stack.status == "UPDATE_FAILED"


def test_a_creation_fails_when_its_time_is_over(cloud, template, resource, monkeypatch):
    """The second resource is not begun; the clock is put forward while the first is created."""
    provider = cloud.engine.engine_context.providers["AWS::EC2::Subnet"]
    create = provider.create

    def slow(context, properties):
        CLOCK.advance(timedelta(minutes=5))
        return create(context, properties)

    monkeypatch.setattr(provider, "create", slow)
    try:
        in_time = cloud.create("s", template(A=resource()), TimeoutInMinutes=6)
        late = cloud.create("late", template(A=resource(), B=resource(DependsOn="A")), TimeoutInMinutes=5)
    finally:
        CLOCK.reset()
    assert in_time.status == "CREATE_COMPLETE"
    assert (late.status, late.resources) == ("ROLLBACK_COMPLETE", {})
    assert late.reason == "Stack creation time exceeded the specified timeout. Rollback requested by user."


def test_a_part_of_the_stack_id_is_not_known_before_the_stack_is_made(cloud, resource):
    uuid = {"Fn::Select": [2, {"Fn::Split": ["/", {"Ref": "AWS::StackId"}]}]}
    value = {"Fn::Join": ["-", ["vault", uuid]]}
    stack = cloud.create("s", {"Resources": {"A": resource(Value=value)}})
    assert stack.resources["A"].properties == {"Value": f"vault-{stack.stack_id.rpartition('/')[2]}"}
