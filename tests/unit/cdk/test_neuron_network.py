"""The public network and the EFA security group."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from .conftest import ZONES, OtherApp, new_app


def test_each_zone_has_a_private_subnet_by_zone_id(template: dict[str, Any]) -> None:
    subnets = [each["Properties"] for each in template["Resources"].values() if each["Type"] == "AWS::EC2::Subnet"]
    private = [(each["AvailabilityZoneId"], each["CidrBlock"]) for each in subnets if each["CidrBlock"].endswith("/19")]
    assert private == [(ZONES[0], "10.30.0.0/19"), (ZONES[1], "10.30.32.0/19")]
    assert not any(each["MapPublicIpOnLaunch"] for each in subnets)


def test_efa_reaches_itself_alone(template: dict[str, Any]) -> None:
    group = {"Fn::GetAtt": ["NetworkEfa4518A4AA", "GroupId"]}
    rules = [
        each["Properties"]
        for each in template["Resources"].values()
        if each["Type"] in ("AWS::EC2::SecurityGroupIngress", "AWS::EC2::SecurityGroupEgress")
        and each["Properties"]["GroupId"] == group
    ]
    assert [rule.get("SourceSecurityGroupId") or rule["DestinationSecurityGroupId"] for rule in rules] == [group, group]


def test_no_group_of_the_network_is_open(template: dict[str, Any]) -> None:
    groups = [
        each
        for name, each in template["Resources"].items()
        if name.startswith("Network") and each["Type"].startswith("AWS::EC2::SecurityGroup")
    ]
    assert len(groups) == 5
    assert "0.0.0.0/0" not in str(groups)


def test_endpoints_without_nat_take_calls_of_the_vpc(other_app: OtherApp) -> None:
    from aws_cdk.assertions import Template

    from neuron_cluster.cdk import NeuronNetwork

    NeuronNetwork(other_app.stack, "Net", cidr="10.30.0.0/16", availability_zones=["euw1-az1"], nat="none")
    found = Template.from_stack(other_app.stack)
    found.resource_count_is("AWS::EC2::NatGateway", 0)
    found.resource_count_is("AWS::EC2::InternetGateway", 0)
    expected = {"VpcEndpointType": "Interface", "ServiceName": "com.amazonaws.eu-west-1.ecr.api"}
    found.has_resource_properties("AWS::EC2::VPCEndpoint", expected)


def test_flow_logs_are_encrypted_with_a_key_for_the_groups_of_the_stack(resource: Callable[[str, str], Any]) -> None:
    (*_, logs) = resource("AWS::KMS::Key", "NetworkFlowLog")["KeyPolicy"]["Statement"]
    assert "log-group:ml-*" in str(logs["Condition"])


def test_zones_of_another_region_than_that_of_the_stack_are_rejected(cdk: Any) -> None:
    from neuron_cluster.cdk import InvalidParameters, NeuronNetwork

    stack = new_app(cdk, env=cdk.Environment(region="eu-west-1")).stack
    with pytest.raises(
        InvalidParameters, match=r"ml/Net: usw2-az4 is not a zone of eu-west-1 \(it belongs to us-west-2\)"
    ):
        NeuronNetwork(stack, "Net", cidr="10.30.0.0/16", availability_zones=["usw2-az4"])


def test_a_region_that_the_catalog_does_not_have_is_rejected(cdk: Any) -> None:
    from neuron_cluster.cdk import InvalidParameters, NeuronBucket

    stack = new_app(cdk, env=cdk.Environment(region="eu-west-11")).stack
    with pytest.raises(InvalidParameters, match=r"eu-west-11 is not a Region of the catalog; did you mean eu-west-1"):
        NeuronBucket(stack, "Data")
