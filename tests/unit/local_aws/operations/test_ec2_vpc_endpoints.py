"""VPC endpoints after a change: a gateway's routes stand in the tables that it has now, and it can be deleted."""

from __future__ import annotations

from typing import Any

import pytest

from neuron_cluster.local_aws.clients import local_client
from neuron_cluster.local_aws.server import LocalAws

ACCOUNT, REGION = "111122223333", "us-west-2"


@pytest.fixture(scope="module")
def ec2(local_aws: LocalAws) -> Any:
    return local_client("ec2", local_aws.endpoint, ACCOUNT, REGION)


@pytest.fixture
def vpc(ec2: Any) -> str:
    return str(ec2.create_vpc(CidrBlock="10.0.0.0/16")["Vpc"]["VpcId"])


def route_table(ec2: Any, vpc: str) -> str:
    return str(ec2.create_route_table(VpcId=vpc)["RouteTable"]["RouteTableId"])


def gateway(ec2: Any, vpc: str, table: str) -> str:
    made = ec2.create_vpc_endpoint(VpcId=vpc, ServiceName=f"com.amazonaws.{REGION}.s3", RouteTableIds=[table])
    return str(made["VpcEndpoint"]["VpcEndpointId"])


def has_route_to(ec2: Any, table: str, endpoint: str) -> bool:
    (found,) = ec2.describe_route_tables(RouteTableIds=[table])["RouteTables"]
    return endpoint in [route.get("GatewayId") for route in found["Routes"]]


def test_the_routes_of_a_gateway_move_with_its_route_tables(ec2: Any, vpc: str) -> None:
    first, second = route_table(ec2, vpc), route_table(ec2, vpc)
    endpoint = gateway(ec2, vpc, first)
    ec2.modify_vpc_endpoint(VpcEndpointId=endpoint, AddRouteTableIds=[second], RemoveRouteTableIds=[first])
    assert has_route_to(ec2, second, endpoint)
    assert not has_route_to(ec2, first, endpoint)


def test_a_gateway_that_got_a_further_route_table_goes_with_its_vpc(ec2: Any, vpc: str) -> None:
    first, second = route_table(ec2, vpc), route_table(ec2, vpc)
    endpoint = gateway(ec2, vpc, first)
    ec2.modify_vpc_endpoint(VpcEndpointId=endpoint, AddRouteTableIds=[second])
    ec2.delete_vpc_endpoints(VpcEndpointIds=[endpoint])
    for table in (first, second):
        ec2.delete_route_table(RouteTableId=table)
    ec2.delete_vpc(VpcId=vpc)
    assert vpc not in [row["VpcId"] for row in ec2.describe_vpcs()["Vpcs"]]
