"""Interfaces that a service holds for its customer."""

from __future__ import annotations

from typing import Any

import pytest
from botocore.exceptions import ClientError

from local_aws.service_enis import hold_interfaces, release_interfaces


@pytest.fixture
def place(bench: Any) -> dict[str, Any]:
    vpc = bench.create("AWS::EC2::VPC", {"CidrBlock": "10.0.0.0/16"}).physical_id
    return {
        "group": bench.create("AWS::EC2::SecurityGroup", {"VpcId": vpc, "GroupDescription": "x"}),
        "subnets": [
            bench.create("AWS::EC2::Subnet", {"VpcId": vpc, "CidrBlock": f"10.0.{number}.0/24"}) for number in (0, 1)
        ],
    }


def test_they_hold_subnets_and_groups_until_released(bench: Any, place: dict[str, Any]) -> None:
    """One in each subnet; releasing twice is fine."""
    subnet_ids = [subnet.physical_id for subnet in place["subnets"]]
    held = hold_interfaces(bench.context(), subnet_ids, [place["group"].physical_id], "Amazon EKS train")
    rows = bench.client("ec2").describe_network_interfaces(NetworkInterfaceIds=held)["NetworkInterfaces"]
    assert {(row["SubnetId"], row["Description"], row["Groups"][0]["GroupId"]) for row in rows} == {
        (subnet_id, "Amazon EKS train", place["group"].physical_id) for subnet_id in subnet_ids
    }
    with pytest.raises(ClientError, match="DependencyViolation"):
        bench.delete("AWS::EC2::SecurityGroup", place["group"], {})
    for subnet in place["subnets"]:
        with pytest.raises(ClientError, match="DependencyViolation"):
            bench.delete("AWS::EC2::Subnet", subnet, {})
    release_interfaces(bench.context(), held)
    release_interfaces(bench.context(), held)
    bench.delete("AWS::EC2::SecurityGroup", place["group"], {})
    for subnet in place["subnets"]:
        bench.delete("AWS::EC2::Subnet", subnet, {})


def test_a_refusal_leaves_none(bench: Any, place: dict[str, Any]) -> None:
    """The interface in the first subnet is released when the second is unknown."""
    with pytest.raises(ClientError, match="NotFound"):
        hold_interfaces(bench.context(), [place["subnets"][0].physical_id, "subnet-0"], [], "Amazon EKS train")
    assert bench.client("ec2").describe_network_interfaces()["NetworkInterfaces"] == []
