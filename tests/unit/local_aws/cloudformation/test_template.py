"""Reading templates."""

from __future__ import annotations

import json

import pytest

from local_aws.cloudformation.errors import TemplateError
from local_aws.cloudformation.template import parse_template

YAML = """
AWSTemplateFormatVersion: 2010-09-09
Resources:
  Subnet:
    Type: AWS::EC2::Subnet
    DependsOn: [Other]
    Properties:
      VpcId: !Ref Vpc
      CidrBlock: !Select [0, !Cidr [!GetAtt Vpc.CidrBlock, 1, 8]]
      Tags: !If [IsLab, [], !Ref AWS::NoValue]
      Name: !Sub
        - ${x}
        - {x: !ImportValue net}
  Vpc: {Type: AWS::EC2::VPC}
  Other: {Type: AWS::EC2::VPC, DeletionPolicy: Retain}
"""


def test_short_forms_of_yaml_are_the_functions():
    found = parse_template(YAML).resources["Subnet"]
    assert found.properties == {
        "VpcId": {"Ref": "Vpc"},
        "CidrBlock": {"Fn::Select": [0, {"Fn::Cidr": [{"Fn::GetAtt": ["Vpc", "CidrBlock"]}, 1, 8]}]},
        "Tags": {"Fn::If": ["IsLab", [], {"Ref": "AWS::NoValue"}]},
        "Name": {"Fn::Sub": ["${x}", {"x": {"Fn::ImportValue": "net"}}]},
    }
    assert found.depends_on == ("Other",)
    assert (found.deletion_policy, parse_template(YAML).resources["Other"].deletion_policy) == ("Delete", "Retain")


def test_body_is_kept_as_it_was_written():
    assert parse_template(YAML).body == YAML


@pytest.mark.parametrize(
    ("document", "message"),
    [
        ("{", "Template format error: JSON not well-formed. (line 1, column 2)"),
        ("a: [", "Template format error: YAML not well-formed."),
        ("a: " + "[" * 20_000, "Template format error: the template is nested too deeply."),
        ('{"a":' * 20_000, "Template format error: the template is nested too deeply."),
        ("a: &a [1]\nb: *a", "Template error: YAML aliases are not allowed in CloudFormation templates"),
        ("just text", "Template format error: unsupported structure."),
        ({}, "At least one Resources member must be defined."),
        ({"Resources": []}, "At least one Resources member must be defined."),
        ({"Resources": [1]}, "Template format error: [/Resources] expects a map"),
        ({"Ressources": {}}, "Invalid template property or properties [Ressources]"),
        ({"Resources": {"A-B": {"Type": "T"}}}, "Resource name A-B is non alphanumeric"),
        ({"Resources": {"A": {}}}, "Every Resources object must contain a Type member"),
        ({"Resources": {"A": {"Type": "T", "Property": {}}}}, "Invalid template resource property 'Property'"),
        ({"Resources": {"A": {"Type": "T", "DeletionPolicy": "Keep"}}}, "Invalid DeletionPolicy Keep in resource A"),
        (
            {"Resources": {"A": {"Type": "T", "UpdateReplacePolicy": "RetainExceptOnCreate"}}},
            "Invalid UpdateReplacePolicy",
        ),
        (
            {"Resources": {"A": {"Type": "T"}}, "Transform": "AWS::Serverless-2016-10-31"},
            "No transform named AWS::Serverless",
        ),
        ({"Resources": {"A": {"Type": "T", "DependsOn": 5}}}, "every DependsOn value must be a string"),
        (
            {"Resources": {"A": {"Type": "T", "DependsOn": [5]}}},
            "[/Resources/A] Expected `str`, got `int` - at `$.DependsOn[0]`",
        ),
        ({"Resources": {"A": {"Type": "T", "Condition": ["x"]}}}, "Expected `str`, got `array`"),
        ({"Resources": {"A": {"Type": "T", "DeletionPolicy": {}}}}, "Invalid DeletionPolicy {} in resource A"),
        ({"Resources": {"A": {"Type": "T", "Properties": [1]}}}, "Expected `object | null`, got `array`"),
        (
            {"Resources": {"A": {"Type": "T", "Properties": {"X": [{"Y": None}]}}}},
            "[/Resources/A/Properties/X/0/Y] 'null' values are not allowed in templates",
        ),
        ("Resources: {1: {Type: T}}", "Resource name 1 is non alphanumeric"),
        ("Resources: {A: {Type: T, Properties: {1: 2}}}", "[/Resources/A] Expected `str`"),
        ({"Resources": {"A": {"Type": "T"}}, "Transform": 5}, "[/Transform] Expected `str | array`, got `int`"),
        ({"Resources": {"A": {"Type": "T"}}, "Rules": {"R": 5}}, "[/Rules/R] Expected `object`, got `int`"),
        ({"Resources": {"A": {"Type": "T"}}, "Rules": {"R": {"Assertions": [{}]}}}, "required field `Assert`"),
        ({"Resources": {"A": {"Type": "T"}}, "Mappings": {"M": 5}}, "Expected `object`, got `int`"),
        ({"Resources": {"A": {"Type": "T"}}, "Outputs": {"O": "x"}}, "Expected `object`, got `str`"),
        ({"Resources": {"A": {"Type": "T"}}, "Outputs": {"o-o": {"Value": 1}}}, "Output name o-o is non alphanumeric"),
        ({"Resources": {"A": {"Type": "T"}}, "Parameters": {"P": {}}}, "missing required field `Type`"),
        ({"Resources": {"A": {"Type": "T"}}, "Parameters": {"P": {"Type": "Text"}}}, "parameter type: Text"),
        (
            {"Resources": {"A": {"Type": "T"}}, "Parameters": {"P": {"Type": "String", "AllowedPattern": "("}}},
            "[/Parameters/P] AllowedPattern is no regular expression",
        ),
        (
            {"Resources": {"A": {"Type": "T"}}, "Parameters": {"P": {"Type": "String", "MinLength": "x"}}},
            "matching regex '^[0-9]+$'",
        ),
        (
            {"Resources": {"A": {"Type": "AWS::EC2::Volume", "DeletionPolicy": "Snapshot"}}},
            "this local AWS makes no snapshots; give resource A the policy Retain",
        ),
    ],
)
def test_broken_template_is_refused(document, message):
    with pytest.raises(TemplateError) as refused:
        parse_template(document if isinstance(document, str) else json.dumps(document))
    assert refused.value.code == "ValidationError"
    assert message in refused.value.message
