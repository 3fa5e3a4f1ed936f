"""The network and roles of a cluster or a file system, made by API calls in the account of one test."""

from __future__ import annotations

import functools
import json
import sys
import uuid
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from local_aws.server import LocalAws

sys.path.insert(0, str(Path(__file__).parents[3] / "tools"))  # for the page's writer

ZONE_IDS = ("usw2-az1", "usw2-az4")
Clients = Callable[[str], Any]


@pytest.fixture(scope="module")
def local_aws() -> Iterator[LocalAws]:
    with LocalAws() as running:
        yield running


@dataclass(frozen=True)
class Prerequisites:
    """Ids of a VPC in us-west-2, a subnet in each of two zones, a group for the control plane, and four roles.

    A role is made when it is asked for: few tests need all of them.
    """

    client: Clients
    vpc: str
    subnets: list[str]
    group: str

    @functools.cached_property
    def cluster_role(self) -> str:
        return new_role(self.client, "eks.amazonaws.com")

    @functools.cached_property
    def node_role(self) -> str:
        return new_role(self.client, "ec2.amazonaws.com")

    @functools.cached_property
    def pod_role(self) -> str:
        return new_role(self.client, "pods.eks.amazonaws.com", "sts:TagSession")

    @functools.cached_property
    def other_pod_role(self) -> str:
        return new_role(self.client, "pods.eks.amazonaws.com", "sts:TagSession")


def new_role(client: Clients, service: str, *actions: str) -> str:
    """ARN of a new role that the service may assume, and do this with."""
    statement = {"Effect": "Allow", "Principal": {"Service": service}, "Action": ["sts:AssumeRole", *actions]}
    document = json.dumps({"Version": "2012-10-17", "Statement": [statement]})
    return str(
        client("iam").create_role(RoleName=f"role-{uuid.uuid4()}", AssumeRolePolicyDocument=document)["Role"]["Arn"]
    )


@pytest.fixture(scope="session")
def make_ground() -> Callable[[Clients], Prerequisites]:
    def make(client: Clients) -> Prerequisites:
        ec2 = client("ec2")
        vpc = ec2.create_vpc(CidrBlock="10.0.0.0/16")["Vpc"]["VpcId"]
        subnets = [
            ec2.create_subnet(VpcId=vpc, CidrBlock=f"10.0.{i}.0/24", AvailabilityZoneId=zone)["Subnet"]["SubnetId"]
            for i, zone in enumerate(ZONE_IDS)
        ]
        group = ec2.create_security_group(GroupName="control-plane", Description="test", VpcId=vpc)["GroupId"]
        return Prerequisites(client, vpc, subnets, group)

    return make
