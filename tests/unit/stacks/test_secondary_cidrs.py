"""Secondary CIDRs: a range, a subnet and its routes more, and nothing else of the environment is another."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

Templates = dict[str, Any]
ZONE = "usw2-az4"
ADDED = {"network.secondary_cidrs": [{"cidr": "100.64.0.0/16", "availability_zone": ZONE}]}
USED = {**ADDED, "eks.node_groups.1.subnets": "secondary", "eks.prefix_delegation": True}
THOUSAND = {
    **USED,
    "eks.node_groups.1.count": {"min": 0, "desired": 0, "max": 1000},
    "eks.node_groups.1.pods_per_node": 47,
}


def test_a_range_adds_three_resources_and_changes_none(templates_of: Callable[..., Templates]) -> None:
    before, after = (templates_of("train-trn1", edits) for edits in (None, ADDED))
    new = {
        name: each for name, each in after["network"]["Resources"].items() if name not in before["network"]["Resources"]
    }
    assert sorted(each["Type"] for each in new.values()) == [
        "AWS::EC2::Subnet",
        "AWS::EC2::SubnetRouteTableAssociation",
        "AWS::EC2::VPCCidrBlock",
    ]
    (subnet,) = [each for each in new.values() if each["Type"] == "AWS::EC2::Subnet"]
    (block,) = [name for name, each in new.items() if each["Type"] == "AWS::EC2::VPCCidrBlock"]
    assert (subnet["Properties"]["CidrBlock"], subnet["Properties"]["AvailabilityZoneId"]) == ("100.64.0.0/16", ZONE)
    assert subnet["DependsOn"] == [block]
    retained = {name: after["network"]["Resources"][name] for name in before["network"]["Resources"]}
    assert retained == before["network"]["Resources"]
    assert {stack_key: template for stack_key, template in after.items() if stack_key != "network"} == {
        stack_key: template for stack_key, template in before.items() if stack_key != "network"
    }


@pytest.mark.parametrize("instance_type", ["trn1.32xlarge", "trn2.48xlarge"])
def test_a_thousand_nodes_with_efa_have_room_in_one_zone(
    instance_type: str, templates_of: Callable[..., Templates], plan_of: Callable[..., Any]
) -> None:
    edits = {**THOUSAND, "eks.node_groups.1.instance_type": instance_type}
    plan = plan_of("train-trn1", edits)
    assert all(subnet.left >= 0 for subnet in plan.addresses)
    (group,) = [
        each["Properties"]
        for each in templates_of("train-trn1", edits)["nodes"]["Resources"].values()
        if each["Type"] == "AWS::EKS::Nodegroup" and each["Properties"]["Labels"]["neuron-cluster/node-group"] == "trn1"
    ]
    assert group["ScalingConfig"]["MaxSize"] == 1000
    assert ["Secondary" in str(subnet) for subnet in group["Subnets"]] == [True]
