"""Inline rules of a security group are what the group has, and only those are touched."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from botocore.exceptions import ClientError

TYPE = "AWS::EC2::SecurityGroup"
INSIDE = {"IpProtocol": "-1", "CidrIp": "10.0.0.0/16", "Description": "inside"}
HTTPS = {"IpProtocol": "tcp", "FromPort": 443, "ToPort": "443", "CidrIp": "0.0.0.0/0"}
EVERYWHERE = {"IpProtocol": "-1", "FromPort": -1, "ToPort": -1, "CidrIp": "0.0.0.0/0"}


@pytest.fixture
def base(bench: Any) -> dict[str, Any]:
    vpc = bench.create("AWS::EC2::VPC", {"CidrBlock": "10.0.0.0/16"}).physical_id
    return {"VpcId": vpc, "GroupDescription": "of the test"}


def test_without_egress_a_group_may_send_anywhere(bench: Any, base: dict[str, Any]) -> None:
    """EC2's own rule stays."""
    assert bench.read(TYPE, bench.create(TYPE, base))["SecurityGroupEgress"] == [EVERYWHERE]


def test_given_egress_takes_the_place_of_everywhere(bench: Any, base: dict[str, Any]) -> None:
    """The rule with which EC2 makes a group is gone."""
    found = bench.read(TYPE, bench.create(TYPE, {**base, "SecurityGroupEgress": [INSIDE]}))
    assert [rule["CidrIp"] for rule in found["SecurityGroupEgress"]] == ["10.0.0.0/16"]


def test_egress_put_in_and_taken_out_again(bench: Any, base: dict[str, Any]) -> None:
    """Both ways in place."""
    group = bench.create(TYPE, base)
    bench.update(TYPE, group, base, {**base, "SecurityGroupEgress": [INSIDE]})
    assert [rule["CidrIp"] for rule in bench.read(TYPE, group)["SecurityGroupEgress"]] == ["10.0.0.0/16"]
    bench.update(TYPE, group, {**base, "SecurityGroupEgress": [INSIDE]}, base)
    assert bench.read(TYPE, group)["SecurityGroupEgress"] == [EVERYWHERE]


def test_rules_change_in_place(bench: Any, base: dict[str, Any], holds: Callable[[Any, Any], bool]) -> None:
    """Removed rules are revoked, and new ones are there, descriptions included."""
    old = {**base, "SecurityGroupIngress": [INSIDE, HTTPS]}
    new = {**base, "SecurityGroupIngress": [HTTPS, {**INSIDE, "IpProtocol": "udp", "FromPort": 1, "ToPort": 2}]}
    group = bench.create(TYPE, old)
    assert holds(bench.read(TYPE, group), old)
    bench.update(TYPE, group, old, new)
    assert holds(bench.read(TYPE, group), new)


def test_rules_of_other_resources_stay(bench: Any, base: dict[str, Any]) -> None:
    """A SecurityGroupIngress on the group survives a change of its inline rules."""
    old = {**base, "SecurityGroupIngress": [INSIDE]}
    group = bench.create(TYPE, old)
    other = {"GroupId": group.physical_id, "IpProtocol": "-1", "SourceSecurityGroupId": group.physical_id}
    bench.create("AWS::EC2::SecurityGroupIngress", other)
    bench.update(TYPE, group, old, base)
    sources = [rule.get("SourceSecurityGroupId") for rule in bench.read(TYPE, group)["SecurityGroupIngress"]]
    assert sources == [group.physical_id]


def test_an_efa_group_can_be_deleted(bench: Any, base: dict[str, Any]) -> None:
    """Its rules from and to itself do not hold it."""
    group = bench.create(TYPE, base)
    for direction, peer in (("Ingress", "SourceSecurityGroupId"), ("Egress", "DestinationSecurityGroupId")):
        properties = {"GroupId": group.physical_id, "IpProtocol": "-1", peer: group.physical_id}
        bench.create(f"AWS::EC2::SecurityGroup{direction}", properties)
    bench.delete(TYPE, group, base)
    with pytest.raises(ClientError, match=r"InvalidGroup\.NotFound"):
        bench.read(TYPE, group)


def test_a_group_that_a_rule_names_is_not_deleted(bench: Any, base: dict[str, Any]) -> None:
    """DependencyViolation until the other group's rule is gone."""
    group, other = bench.create(TYPE, base), bench.create(TYPE, base)
    properties = {"GroupId": other.physical_id, "IpProtocol": "-1", "SourceSecurityGroupId": group.physical_id}
    rule = bench.create("AWS::EC2::SecurityGroupIngress", properties)
    with pytest.raises(ClientError, match="DependencyViolation"):
        bench.delete(TYPE, group, base)
    bench.delete("AWS::EC2::SecurityGroupIngress", rule, properties)
    bench.delete(TYPE, group, base)


def test_a_second_rule_that_differs_in_its_description_only_is_refused(bench: Any, base: dict[str, Any]) -> None:
    """As EC2 refuses it, by group as by address."""
    group = bench.create(TYPE, base).physical_id
    for peer in ({"SourceSecurityGroupId": group}, {"CidrIp": "10.0.0.0/16"}):
        properties = {"GroupId": group, "IpProtocol": "-1", **peer}
        bench.create("AWS::EC2::SecurityGroupIngress", {**properties, "Description": "one"})
        with pytest.raises(ClientError, match=r"InvalidPermission\.Duplicate"):
            bench.create("AWS::EC2::SecurityGroupIngress", {**properties, "Description": "two"})


def test_a_rule_has_a_peer(bench: Any, base: dict[str, Any]) -> None:
    group = bench.create(TYPE, base).physical_id
    rule = {"GroupId": group, "IpProtocol": "tcp", "FromPort": 1, "ToPort": 1}
    with pytest.raises(ClientError, match="Exactly one of CIDR, prefix list and security group must be specified"):
        bench.create("AWS::EC2::SecurityGroupIngress", rule)


def test_a_failed_group_leaves_nothing(bench: Any, base: dict[str, Any]) -> None:
    """A refused rule takes the group back; its name is free again."""
    bad = {**base, "GroupName": "mine", "SecurityGroupIngress": [{"IpProtocol": "-1", "SourceSecurityGroupId": "sg-0"}]}
    with pytest.raises(ClientError, match=r"InvalidGroup\.NotFound"):
        bench.create(TYPE, bad)
    bench.create(TYPE, {**base, "GroupName": "mine"})


def test_a_name_is_taken_once_in_a_vpc(bench: Any, base: dict[str, Any]) -> None:
    """The second group of the same name is refused."""
    bench.create(TYPE, {**base, "GroupName": "mine"})
    with pytest.raises(ClientError, match=r"InvalidGroup\.Duplicate"):
        bench.create(TYPE, {**base, "GroupName": "mine"})
