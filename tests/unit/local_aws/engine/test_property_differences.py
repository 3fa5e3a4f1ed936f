"""Differences between a template and the values of a service."""

from __future__ import annotations

from typing import Any

import pytest

from local_aws.resource_types.attachments import without_attachments
from local_aws.resource_types.property_differences import property_differences


def reported(expected: Any, actual: Any) -> list[tuple[str, str]]:
    return [(each.kind, each.pointer) for each in property_differences(expected, actual)]


@pytest.mark.parametrize(
    ("expected", "actual"),
    [
        ({"Size": "1200"}, {"Size": 1200}),
        ({"Encrypted": "true"}, {"Encrypted": True}),
        ({"Name": "a"}, {"Name": "a", "Arn": "added by the service"}),
        ({"Groups": ["a", "b"]}, {"Groups": ["b", "a"]}),
        ({"Tags": [{"Key": "a", "Value": "1"}]}, {"Tags": [{"Key": "a", "Value": "1", "Propagated": False}]}),
        (
            {"TargetGroupAttributes": [{"Key": "a", "Value": "1"}]},
            {"TargetGroupAttributes": [{"Key": "default", "Value": "2"}, {"Key": "a", "Value": "1"}]},
        ),
    ],
)
def test_no_difference(expected: Any, actual: Any) -> None:
    """Texts of numbers, what a service adds, and the order of a list."""
    assert reported(expected, actual) == []


@pytest.mark.parametrize(
    ("expected", "actual", "differences"),
    [
        ({"Size": 1}, {"Size": 2}, [("NOT_EQUAL", "/Size")]),
        ({"Size": 1}, {}, [("REMOVE", "/Size")]),
        ({"Size": None}, {"Size": 1}, [("NOT_EQUAL", "/Size")]),
        ({"A": {"B": True}}, {"A": {"B": False}}, [("NOT_EQUAL", "/A/B")]),
        ({"A": {"B": 1}}, {"A": [1]}, [("NOT_EQUAL", "/A")]),
        ({"Groups": ["a", "b"]}, {"Groups": ["b"]}, [("REMOVE", "/Groups/0")]),
        ({"Groups": ["a", "a"]}, {"Groups": ["a"]}, [("REMOVE", "/Groups/1")]),
        ({"Groups": []}, {"Groups": ["a"]}, [("ADD", "/Groups/0")]),
        ({"Tags": []}, {"Tags": [{"Key": "a", "Value": "1"}]}, [("ADD", "/Tags/0")]),
        ({"AutoAttributes": []}, {"AutoAttributes": ["a"]}, [("ADD", "/AutoAttributes/0")]),
        ({"Groups": ["a"]}, {"Groups": ["b"]}, [("REMOVE", "/Groups/0"), ("ADD", "/Groups/0")]),
    ],
)
def test_differences(expected: Any, actual: Any, differences: list[tuple[str, str]]) -> None:
    assert reported(expected, actual) == differences


def test_a_changed_item_is_matched_with_what_it_was() -> None:
    """The rule for port 443 now has another address; the other rule is found though its place is another."""
    web, shell = {"FromPort": 443, "CidrIp": "10.0.0.0/8"}, {"FromPort": 22, "CidrIp": "10.1.0.0/16"}
    expected = {"Rules": [web, shell]}
    assert reported(expected, {"Rules": [shell, {**web, "CidrIp": "0.0.0.0/0"}]}) == [("NOT_EQUAL", "/Rules/0/CidrIp")]


def test_the_pattern_names_no_position() -> None:
    (difference,) = property_differences({"Tags": [{"Key": "a", "Value": "1"}]}, {"Tags": [{"Key": "a", "Value": "2"}]})
    assert (difference.pattern, difference.expected, difference.actual) == ("Tags/*/Value", "1", "2")


def test_a_rule_that_is_a_resource_of_its_own_is_not_the_groups() -> None:
    """One of two equal ones; a rule of another group takes nothing away."""
    rule = {"IpProtocol": "tcp", "FromPort": 1}
    others = [
        ("AWS::EC2::SecurityGroupIngress", {"GroupId": "sg-1", **rule}),
        ("AWS::EC2::SecurityGroupIngress", {"GroupId": "sg-2", **rule}),
        ("AWS::EC2::SecurityGroupEgress", {"GroupId": "sg-1", **rule}),
    ]
    actual = {"SecurityGroupIngress": [rule, rule]}
    left = without_attachments("AWS::EC2::SecurityGroup", "sg-1", actual, others)
    assert left == {"SecurityGroupIngress": [rule]}
    assert actual == {"SecurityGroupIngress": [rule, rule]}


def test_a_policy_that_is_a_resource_of_its_own_is_not_the_roles() -> None:
    inline, own = {"PolicyName": "inline", "PolicyDocument": {}}, {"PolicyName": "own", "PolicyDocument": {}}
    others = [("AWS::IAM::Policy", {**own, "Roles": ["other", "role"]})]
    left = without_attachments("AWS::IAM::Role", "role", {"Policies": [inline, own]}, others)
    assert left == {"Policies": [inline]}


def test_structures_that_differ_in_a_list_within_are_compared() -> None:
    expected = {"Statement": [{"Sid": "Own", "Action": ["s3:GetObject"]}]}
    actual = {"Statement": [{"Sid": "Own", "Action": ["s3:GetObject", "s3:PutObject"]}]}
    (found,) = property_differences(expected, actual)
    assert (found.pointer, found.kind, found.actual) == ("/Statement/0/Action/1", "ADD", "s3:PutObject")
