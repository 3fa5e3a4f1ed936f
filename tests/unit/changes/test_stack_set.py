"""Values that mean the same are equal in the normal form, however they are written."""

from __future__ import annotations

from typing import Any

from local_aws.cloudformation.references import references
from local_aws.cloudformation.values import Address, Reference
from neuron_cluster.changes.stack_set import StackSet
from tests.every_case import every_case

STACKS = StackSet(
    {
        "net": {
            "Resources": {"Vpc": {"Type": "AWS::EC2::VPC"}},
            "Outputs": {
                "Id": {"Value": {"Ref": "Vpc"}, "Export": {"Name": {"Fn::Sub": "${AWS::StackName}:vpc"}}},
                "Again": {"Value": {"Fn::ImportValue": "net:vpc"}, "Export": {"Name": "net:again"}},
            },
        },
        "app": {
            "Resources": {"Role": {"Type": "AWS::IAM::Role"}},
            "Parameters": {"Size": {"Type": "String", "Default": "2"}},
        },
    }
)
VPC = Reference(Address("net", "Vpc"))
ARN = Reference(Address("app", "Role"), "Arn")


@every_case(
    "written, meant",
    [
        ({"Ref": "Role"}, Reference(Address("app", "Role"))),
        ({"Fn::GetAtt": ["Role", "Arn"]}, ARN),
        ({"Fn::GetAtt": "Role.Arn"}, ARN),
        ({"Fn::GetAtt": ["Gone", "Arn"]}, Reference(Address("app", "Gone"), "Arn")),
        ({"Fn::GetAtt": "Gone.Endpoint.Address"}, Reference(Address("app", "Gone"), "Endpoint.Address")),
        ({"Fn::Sub": "${Role.Arn}"}, ARN),
        ({"Fn::Sub": ["${It}", {"It": {"Fn::GetAtt": ["Role", "Arn"]}}]}, ARN),
        ({"Fn::Sub": "a-${Role.Arn}-b"}, {"Fn::Join": ["a-", ARN, "-b"]}),
        ({"Fn::Join": ["-", ["a", {"Fn::GetAtt": ["Role", "Arn"]}, "b"]]}, {"Fn::Join": ["a-", ARN, "-b"]}),
        ({"Fn::Join": ["/", ["a", "b"]]}, "a/b"),
        ({"Fn::Sub": "${!Literal}"}, "${Literal}"),
        ({"Fn::ImportValue": "net:vpc"}, VPC),
        ({"Fn::ImportValue": {"Fn::Join": [":", ["net", "again"]]}}, VPC),
        ({"Fn::ImportValue": "elsewhere:vpc"}, {"Fn::ImportValue": "elsewhere:vpc"}),
        ({"Ref": "AWS::StackName"}, "app"),
        ({"Ref": "AWS::Region"}, {"Ref": "AWS::Region"}),
        ({"Ref": "Size"}, {"Ref": ["Size", "2"]}),
        ({"Fn::Base64": {"Fn::Sub": "a-${AWS::StackName}"}}, {"Fn::Base64": "a-app"}),
        ({"Fn::Select": [1, {"Fn::Split": [",", "a,b"]}]}, "b"),
        ({"Fn::Split": [",", {"Ref": "AWS::Region"}]}, {"Fn::Split": [",", {"Ref": "AWS::Region"}]}),
        ("a {{resolve:ssm:/name}}", "a {{resolve:ssm:/name}}"),
        ({"Fn::Transform": {"Of": {"Ref": "Role"}}}, {"Fn::Transform": {"Of": Reference(Address("app", "Role"))}}),
        ({"A": {"Ref": "AWS::NoValue"}, "B": [1, True]}, {"B": ["1", "true"]}),
    ],
)
def test_the_normal_form_of(written: Any, meant: Any) -> None:
    assert STACKS.normal("app", written) == meant


def test_references_are_found_at_any_depth() -> None:
    normal = STACKS.normal("app", {"A": [{"Fn::Sub": "x${Role}y"}, {"B": {"Fn::ImportValue": "net:vpc"}}]})
    assert list(references(normal)) == [Reference(Address("app", "Role")), VPC]


def test_a_condition_is_compared_by_what_it_means() -> None:
    """The same name for another condition chooses another value."""
    conditional = {"Fn::If": ["Big", "a", "b"]}
    first, second = (
        StackSet({"s": {"Conditions": {"Big": {"Fn::Equals": [{"Ref": "AWS::Region"}, region]}}}}).normal(
            "s", conditional
        )
        for region in ("us-west-2", "us-east-1")
    )
    assert first != second


def test_imports_of_a_stack_are_named() -> None:
    stacks = StackSet(
        {"a": {"Resources": {"X": {"Properties": {"Y": [{"Fn::ImportValue": {"Fn::Sub": "n:${AWS::StackName}"}}]}}}}}
    )
    assert stacks.imports("a") == {"n:a"}
