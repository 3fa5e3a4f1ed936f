"""Intrinsic functions."""

from __future__ import annotations

import json

import pytest

from local_aws.cloudformation.errors import TemplateError
from local_aws.cloudformation.resolver import Resolver
from local_aws.cloudformation.template import parse_template
from local_aws.cloudformation.values import UNKNOWN
from tests.every_case import every_case

DOCUMENT = {
    "Parameters": {"Name": {"Type": "String"}, "Zones": {"Type": "CommaDelimitedList"}},
    "Mappings": {"Sizes": {"eu-west-1": {"small": "s1", "many": ["a", "b"]}}},
    "Conditions": {
        "Yes": {"Fn::Equals": [{"Ref": "Name"}, "lab"]},
        "No": {"Fn::Not": [{"Condition": "Yes"}]},
        "Both": {"Fn::And": [{"Condition": "Yes"}, {"Condition": "No"}]},
        "Either": {"Fn::Or": [{"Condition": "Yes"}, {"Condition": "No"}]},
        "Loop": {"Fn::Not": [{"Condition": "Loop"}]},
        "OfResource": {"Fn::Equals": [{"Ref": "Open"}, "a"]},
    },
    "Resources": {
        "Made": {"Type": "T"},
        "Open": {"Type": "T"},
        "Absent": {"Type": "T", "Condition": "No"},
    },
}


class Place:
    """An account with one resource, ``Made``, one export and one SSM parameter; ``Open`` is not known yet."""

    def parameter(self, name):
        return {"Name": "lab", "Zones": ["a", "b"]}[name]

    def pseudo_parameter(self, name):
        return {"AWS::Region": "eu-west-1"}[name]

    def reference(self, logical_id):
        return {"Made": "made-1", "Open": UNKNOWN}[logical_id]

    def attribute(self, logical_id, name):
        return {"Made": {"Endpoint.Address": "host"}, "Open": {"Arn": UNKNOWN}}[logical_id][name]

    def import_value(self, name):
        return {"net:vpc": "vpc-1"}[name]

    def stack_output(self, output):
        return {("net", "Vpc"): "vpc-1"}[output.stack_name, output.output_name]

    def availability_zones(self, region):
        return [f"{region or 'eu-west-1'}a", f"{region or 'eu-west-1'}b"]

    def dynamic_reference(self, service, name):
        return f"value of {name}" if service == "ssm" else UNKNOWN


@pytest.fixture
def resolve():
    return _resolver().resolve


def _resolver(**sections):
    return Resolver(parse_template(json.dumps({**DOCUMENT, **sections})), Place())


@every_case(
    "node, value",
    [
        ({"Ref": "Name"}, "lab"),
        ({"Ref": "Zones"}, ["a", "b"]),
        ({"Ref": "AWS::Region"}, "eu-west-1"),
        ({"Ref": "Made"}, "made-1"),
        ({"Fn::GetAtt": ["Made", "Endpoint.Address"]}, "host"),
        ({"Fn::GetAtt": "Made.Endpoint.Address"}, "host"),
        ({"Fn::Sub": "${Name}-${AWS::Region}-${Made}-${Made.Endpoint.Address}"}, "lab-eu-west-1-made-1-host"),
        ({"Fn::Sub": "literal ${!Name} and $Name"}, "literal ${Name} and $Name"),
        ({"Fn::Sub": ["${x}-${Name}", {"x": {"Fn::Select": [1, {"Ref": "Zones"}]}}]}, "b-lab"),
        ({"Fn::Join": ["-", ["a", 1, True, {"Ref": "Name"}]]}, "a-1-true-lab"),
        ({"Fn::Join": [",", {"Ref": "Zones"}]}, "a,b"),
        ({"Fn::Select": ["0", {"Fn::GetAZs": ""}]}, "eu-west-1a"),
        ({"Fn::GetAZs": "us-west-2"}, ["us-west-2a", "us-west-2b"]),
        ({"Fn::Split": ["|", "a|b"]}, ["a", "b"]),
        ({"Fn::Cidr": ["10.0.0.0/16", 2, 8]}, ["10.0.0.0/24", "10.0.1.0/24"]),
        ({"Fn::Cidr": ["fd00::/56", "1", "64"]}, ["fd00::/64"]),
        ({"Fn::Base64": {"Fn::Sub": "#!/bin/sh ${Name}"}}, "IyEvYmluL3NoIGxhYg=="),
        ({"Fn::FindInMap": ["Sizes", {"Ref": "AWS::Region"}, "small"]}, "s1"),
        ({"Fn::FindInMap": ["Sizes", "eu-west-1", "many"]}, ["a", "b"]),
        ({"Fn::If": ["Yes", "then", {"Ref": "Absent"}]}, "then"),
        ({"Fn::If": ["No", "then", "else"]}, "else"),
        ({"Fn::ImportValue": {"Fn::Sub": "net:vpc"}}, "vpc-1"),
        ("before {{resolve:ssm:/a/b:3}} after", "before value of /a/b:3 after"),
        ({"Fn::Join": ["", ["{{resolve:ssm:/", {"Ref": "Name"}, "}}"]]}, "value of /lab"),
        ({"Ref": "Name", "Other": 1}, {"Ref": "Name", "Other": 1}),
    ],
)
def test_value_of_a_function(resolve, node, value):
    assert resolve(node) == value


@pytest.mark.parametrize(("name", "holds"), [("Yes", True), ("No", False), ("Both", False), ("Either", True)])
def test_conditions(name, holds):
    assert _resolver().condition(name) is holds


def test_resource_whose_condition_does_not_hold_is_not_active():
    assert _resolver().active() == ["Made", "Open"]


def test_no_value_removes_the_property_and_the_item(resolve):
    node = {"Kept": 1, "Gone": {"Ref": "AWS::NoValue"}, "List": [{"Fn::If": ["No", 1, {"Ref": "AWS::NoValue"}]}, 2]}
    assert resolve(node) == {"Kept": 1, "List": [2]}


@pytest.mark.parametrize(
    "node",
    [
        {"Ref": "Open"},
        {"Fn::Sub": "x-${Open.Arn}"},
        {"Fn::Join": ["-", ["a", {"Ref": "Open"}]]},
        {"Fn::Select": [1, ["a", {"Ref": "Open"}]]},
        {"Fn::Select": [0, {"Fn::Split": ["/", {"Fn::GetAtt": "Open.Arn"}]}]},
        {"Fn::FindInMap": ["Sizes", {"Ref": "Open"}, "small"]},
        "before {{resolve:vault:x}} after",
    ],
)
def test_what_comes_from_an_unknown_value_is_unknown(resolve, node):
    assert resolve(node) is UNKNOWN


def test_unknown_neighbour_does_not_hide_the_selected_item(resolve):
    assert resolve({"Fn::Select": [0, ["a", {"Ref": "Open"}]]}) == "a"


@every_case(
    "node, message",
    [
        (
            {"Fn::Rot13": "x"},
            "Encountered unsupported function: Fn::Rot13 Supported functions are: [Condition, Fn::And,",
        ),
        ({"Fn::Length": [1]}, "Encountered unsupported function: Fn::Length"),
        ({"Ref": "Absent"}, "Unresolved resource dependencies [Absent] in the Resources block"),
        ({"Fn::GetAtt": "Absent.Arn"}, "Unresolved resource dependencies [Absent] in the Resources block"),
        ({"Fn::Select": [5, ["a"]]}, "Fn::Select cannot select nonexistent value at index 5"),
        ({"Fn::Join": ["-"]}, "every Fn::Join object requires two parameters"),
        ({"Fn::Split": ["-", ["a"]]}, "every Fn::Split object requires two parameters"),
        ({"Fn::FindInMap": ["Sizes", "eu-west-1", "large"]}, "Unable to get mapping for Sizes::eu-west-1::large"),
        ({"Fn::If": ["Nobody", 1, 2]}, "Unresolved condition dependency Nobody"),
        ({"Fn::If": ["Loop", 1, 2]}, "circular condition dependency"),
        ({"Fn::If": ["Yes", 1]}, "Fn::If requires a list argument with three elements"),
        ({"Fn::Base64": ["x"]}, "Fn::Base64 object must have a String-typed value"),
        ({"Fn::Sub": 5}, "One or more Fn::Sub intrinsic functions don't specify expected arguments"),
        ({"Fn::Sub": ["x", {}, {}]}, "One or more Fn::Sub intrinsic functions don't specify expected arguments"),
        ({"Fn::GetAtt": "Open"}, "invalid arguments of Fn::GetAtt: Open"),
        ({"Fn::GetAtt": ["Open"]}, "invalid arguments of Fn::GetAtt: ['Open']"),
        ({"Ref": {"a": 1}}, "invalid arguments of Ref"),
        ({"Fn::FindInMap": ["Sizes", "x"]}, "invalid arguments of Fn::FindInMap"),
        ({"Fn::Cidr": ["nonsense", 1, 8]}, "invalid arguments of Fn::Cidr: ['nonsense', 1, 8]"),
        ({"Fn::Cidr": ["10.0.0.0/16", 1, 20]}, "invalid arguments of Fn::Cidr"),
        ({"Fn::Join": ["-", ["a", ["b"]]]}, "every Fn::Join object requires two parameters"),
        ({"Fn::Sub": "a-${Zones}"}, "every variable of a Fn::Sub must have a String-typed value"),
        ({"Fn::If": ["OfResource", 1, 2]}, "Conditions can only be boolean operations on parameters"),
    ],
)
def test_broken_function_is_refused_by_name(resolve, node, message):
    with pytest.raises(TemplateError) as refused:
        resolve(node)
    assert refused.value.code == "ValidationError"
    assert message in refused.value.message


def test_language_extensions_need_their_transform():
    resolve = _resolver(Transform="AWS::LanguageExtensions").resolve
    assert resolve({"Fn::Length": {"Ref": "Zones"}}) == 2
    assert resolve({"Fn::ToJsonString": {"a": {"Ref": "Name"}}}) == '{"a":"lab"}'
    assert resolve({"Fn::FindInMap": ["Sizes", "nowhere", "small", {"DefaultValue": "d"}]}) == "d"
