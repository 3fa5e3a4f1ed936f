"""Following references between templates."""

from __future__ import annotations

from typing import Any

from local_aws.cloudformation.values import UNKNOWN, Address, Reference
from neuron_cluster.template_rules.look_up import LookUp
from neuron_cluster.template_rules.property_tree import at
from tests.every_case import every_case

TEMPLATES = {
    "network": {
        "Resources": {"Subnet": {"Type": "AWS::EC2::Subnet", "Properties": {"CidrBlock": "10.0.0.0/24"}}},
        "Outputs": {"Subnet": {"Value": {"Ref": "Subnet"}, "Export": {"Name": "the-subnet"}}},
    }
}


def _value(written: Any) -> Any:
    body = {"Type": "Test", "Properties": {"Value": written, "Kept": 1}}
    look_up = LookUp(TEMPLATES | {"user": {"Resources": {"User": body, "Other": {"Type": "Other"}}}}, "us-west-2")
    (resource,) = look_up.resources("Test")
    return resource.properties.get("Value")


def test_what_is_written_as_nothing_is_nothing() -> None:
    """As YAML has ``Properties:`` with no line below it."""
    look_up = LookUp(
        {"empty": {"Resources": None, "Outputs": None}, "null": {"Resources": {"A": {"Properties": None}}}}
    )
    assert [resource.properties for resource in look_up.resources()] == [{}]


@every_case(
    "written, meant",
    [
        ("plain", "plain"),
        ({"Ref": "Other"}, Reference(Address("user", "Other"))),
        ({"Fn::GetAtt": ["Other", "Arn"]}, Reference(Address("user", "Other"), "Arn")),
        ({"Fn::GetAtt": "Other.Endpoint.Port"}, Reference(Address("user", "Other"), "Endpoint.Port")),
        ({"Fn::ImportValue": "the-subnet"}, Reference(Address("network", "Subnet"))),
        ({"Fn::ImportValue": {"Fn::Join": ["-", ["the", "subnet"]]}}, Reference(Address("network", "Subnet"))),
        ({"Fn::ImportValue": "of-another-account"}, UNKNOWN),
        ({"Ref": "SomeParameter"}, UNKNOWN),
        ({"Ref": "AWS::Region"}, "us-west-2"),
        ({"Ref": "AWS::NoValue"}, None),
        ({"Fn::Join": [":", ["a", {"Ref": "AWS::Region"}]]}, "a:us-west-2"),
        ({"Fn::Join": [":", ["a", {"Ref": "Other"}]]}, UNKNOWN),
        ({"Fn::Base64": "text"}, "dGV4dA=="),
        ({"Fn::If": ["Condition", 1, 2]}, UNKNOWN),
        ({"Fn::Sub": "${AWS::StackName}-${AWS::Region}-a"}, "user-us-west-2-a"),
        ({"Fn::Sub": ["${Name}/${!Literal}", {"Name": "b"}]}, "b/${Literal}"),
        ({"Fn::Sub": "${Other.Arn}"}, Reference(Address("user", "Other"), "Arn")),
        ({"Fn::Sub": "${Other.Arn}/*"}, UNKNOWN),
        ({"Fn::Select": [1, {"Fn::Split": [",", "a,b"]}]}, "b"),
        ({"Fn::Select": [0, [{"Ref": "Other"}, {"Ref": "SomeParameter"}]]}, Reference(Address("user", "Other"))),
        ({"Fn::Join": "of no separator"}, UNKNOWN),
        ({"Fn::GetAtt": "of no attribute"}, UNKNOWN),
        ("{{resolve:ssm:/name}}", UNKNOWN),
        ([1, {"Ref": "AWS::NoValue"}, 3], [1, 3]),
        ({"Condition": "a policy's own key"}, {"Condition": "a policy's own key"}),
    ],
)
def test_a_value_is_what_the_templates_can_tell(written: Any, meant: Any) -> None:
    assert _value(written) == meant


def test_an_import_leads_to_the_resource_of_another_stack() -> None:
    body = {"Type": "AWS::EKS::Nodegroup", "Properties": {"Subnets": [{"Fn::ImportValue": "the-subnet"}]}}
    look_up = LookUp(TEMPLATES | {"nodes": {"Resources": {"Group": body}}})
    (group,) = look_up.resources("AWS::EKS::Nodegroup")
    subnet = look_up.referred(at(group.properties, "Subnets", 0))
    assert subnet is not None
    assert (subnet.stack, subnet.properties["CidrBlock"]) == ("network", "10.0.0.0/24")


def test_nothing_is_known_below_what_is_unknown_and_nothing_is_there_below_nothing() -> None:
    assert at({"a": UNKNOWN}, "a", "b") is UNKNOWN
    assert at({"a": {}}, "a", "b", "c") is None
    assert at({"a": [1]}, "a", 1) is None
