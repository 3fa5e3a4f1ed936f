"""A VPC that exists: every stack refers to it, and no resource of a template changes it."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from tests.existing_vpc import VPC, existing_vpc

Templates = dict[str, Any]
ZONES = ("usw2-az4", "usw2-az1")
PRIVATE = ["subnet-0123456789abcdef0", "subnet-0123456789abcdef1"]
EDITS = existing_vpc(*ZONES, public="usw2-az1", endpoints=["ecr.api"])
ITS_OWN = {"AWS::EC2::SecurityGroup", "AWS::EC2::SecurityGroupEgress", "AWS::EC2::SecurityGroupIngress"}


@pytest.fixture(scope="module")
def templates(templates_of: Callable[..., Templates]) -> Templates:
    return templates_of("train-trn1", EDITS)


def of_type(templates: Templates, type_name: str) -> list[dict[str, Any]]:
    resources = (each for template in templates.values() for each in template["Resources"].values())
    return [each["Properties"] for each in resources if each["Type"] == type_name]


def test_the_network_stack_has_security_groups_and_the_endpoints_of_the_file(templates: Templates) -> None:
    types = {each["Type"] for each in templates["network"]["Resources"].values()}
    assert types - ITS_OWN - {"AWS::CDK::Metadata"} == {"AWS::EC2::VPCEndpoint"}
    assert {each["VpcId"] for each in of_type(templates, "AWS::EC2::SecurityGroup")} == {VPC}
    (endpoint,) = of_type(templates, "AWS::EC2::VPCEndpoint")
    assert (endpoint["VpcEndpointType"], endpoint["VpcId"], endpoint["SubnetIds"]) == ("Interface", VPC, PRIVATE)


def test_nodes_control_plane_and_file_system_are_in_its_private_subnets(templates: Templates) -> None:
    (cluster,) = of_type(templates, "AWS::EKS::Cluster")
    assert cluster["ResourcesVpcConfig"]["SubnetIds"] == PRIVATE
    (file_system,) = of_type(templates, "AWS::FSx::FileSystem")
    assert file_system["SubnetIds"] == PRIVATE[:1]
    groups = of_type(templates, "AWS::EKS::Nodegroup")
    assert {subnet for group in groups for subnet in group["Subnets"]} == {*PRIVATE}


def test_its_id_is_nowhere_but_where_a_resource_is_placed(templates: Templates) -> None:
    """No route, tag, flow log or gateway of the VPC or its subnets."""
    placed = {
        "AWS::EC2::SecurityGroup", "AWS::EC2::VPCEndpoint", "AWS::EKS::Cluster", "AWS::EKS::Nodegroup",
        "AWS::FSx::FileSystem", "AWS::Lambda::Function",
    }  # fmt: skip
    named = {
        each["Type"]
        for template in templates.values()
        for each in template["Resources"].values()
        if any(existing in json.dumps(each) for existing in (VPC, *PRIVATE, "subnet-0123456789abcdef2"))
    }
    # Charts get the id of the VPC as a value.
    assert named - {"Custom::AWSCDK-EKS-HelmChart"} <= placed


def test_a_node_group_in_another_subnet_has_another_name(plan_of: Callable[..., Any]) -> None:
    """EKS replaces it, and both exist during the update."""
    edits = existing_vpc(*ZONES)
    before = plan_of("train-trn1", edits).node_groups
    edits["network"]["existing"]["subnets"][0]["id"] = "subnet-0123456789abcdef9"
    after = plan_of("train-trn1", edits).node_groups
    moved = {each.name for each, other in zip(before, after, strict=True) if each.physical_name != other.physical_name}
    assert moved == {each.name for each in before if "usw2-az4" in each.zone_ids}


def test_a_workstation_is_in_a_private_subnet(templates_of: Callable[..., Templates]) -> None:
    (template,) = of_type(templates_of("workstation", existing_vpc("usw2-az1")), "AWS::EC2::LaunchTemplate")
    interfaces = template["LaunchTemplateData"]["NetworkInterfaces"]
    assert {each["SubnetId"] for each in interfaces} == {PRIVATE[0]}
