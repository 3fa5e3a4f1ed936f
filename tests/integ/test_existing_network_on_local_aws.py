"""A VPC that exists: deployed into, edited around, destroyed from, and found as it was."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml

from neuron_cluster.aws.session import LocalTarget, client
from tests.existing_vpc import account_vpc

pytestmark = pytest.mark.slow
NAME = "in-existing-vpc"


def state_of(target: LocalTarget, vpc_id: str) -> dict[str, Any]:
    """Everything of the VPC that its owner has: without the security groups that an environment adds."""
    ec2 = client(target, "ec2")
    in_vpc = [{"Name": "vpc-id", "Values": [vpc_id]}]
    return {
        "vpc": ec2.describe_vpcs(VpcIds=[vpc_id])["Vpcs"],
        "subnets": ec2.describe_subnets(Filters=in_vpc)["Subnets"],
        "routes": ec2.describe_route_tables(Filters=in_vpc)["RouteTables"],
        "gateways": ec2.describe_nat_gateways(Filters=in_vpc)["NatGateways"],
        "endpoints": ec2.describe_vpc_endpoints(Filters=in_vpc)["VpcEndpoints"],
        "flow logs": ec2.describe_flow_logs(Filters=[{"Name": "resource-id", "Values": [vpc_id]}])["FlowLogs"],
        "interfaces": len(ec2.describe_network_interfaces(Filters=in_vpc)["NetworkInterfaces"]),
    }


def without_addresses(state: dict[str, Any]) -> dict[str, Any]:
    """While nodes run, free addresses and interfaces are others."""
    subnets = [{k: v for k, v in each.items() if k != "AvailableIpAddressCount"} for each in state["subnets"]]
    return {**state, "subnets": subnets, "interfaces": None}


@pytest.mark.hints("E9570")
def test_it_is_deployed_into_and_left_as_it_was(
    project: Path, command: Callable[..., Any], target: LocalTarget
) -> None:
    ec2 = client(target, "ec2")
    section = account_vpc(ec2)
    file = project / "environments" / f"{NAME}.yaml"
    tree = yaml.safe_load((project / "environments" / "dev-inf2.yaml").read_text())
    file.write_text(yaml.safe_dump(tree | {"name": NAME, "network": section}, sort_keys=False))
    vpc_id = section["existing"]["vpc_id"]
    before = state_of(target, vpc_id)

    unlocked = command("deploy", "--local", NAME)
    assert (unlocked.status, [each for each in unlocked.ids if each.startswith("E")]) == (1, ["E1042"])
    assert command("lock", "--local", NAME).status == 0
    deployed = command("deploy", "--local", NAME)
    assert deployed.status == 0, deployed.err
    groups = ec2.describe_security_groups(Filters=[{"Name": "vpc-id", "Values": [vpc_id]}])["SecurityGroups"]
    assert len(groups) > 1
    assert without_addresses(state_of(target, vpc_id)) == without_addresses(before)

    # Its owner takes the route to NAT away: nothing is changed until the lock has it.
    table = next(each for each in before["routes"] if any(r.get("NatGatewayId") for r in each["Routes"]))
    route = {"RouteTableId": table["RouteTableId"], "DestinationCidrBlock": "0.0.0.0/0"}
    nat = next(r["NatGatewayId"] for r in table["Routes"] if r.get("NatGatewayId"))
    ec2.delete_route(**route)
    drifted = command("deploy", "--local", NAME)
    assert (drifted.status, {each for each in drifted.ids if each.startswith("E")}) == (1, {"E9570"})
    assert command("lock", "--local", NAME, "--check").status == 1
    ec2.create_route(**route, NatGatewayId=nat)
    assert command("lock", "--local", NAME, "--check").status == 0

    destroyed = command("destroy", "--local", NAME)
    assert destroyed.status == 0, destroyed.err
    assert state_of(target, vpc_id) == before
    groups = ec2.describe_security_groups(Filters=[{"Name": "vpc-id", "Values": [vpc_id]}])["SecurityGroups"]
    assert [each["GroupName"] for each in groups] == ["default"]
