"""The network stack: subnets by zone id, ways out, and every rule between security groups."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

Stacks = Callable[..., Any]


@pytest.fixture(scope="module")
def network(stack_of: Stacks) -> Any:
    return stack_of("train-trn1", "network")


def _groups(stack: Any) -> dict[str, str]:
    """Logical id of each security group to the role that its id names."""
    found = stack.find_resources("AWS::EC2::SecurityGroup")
    return {logical_id: logical_id.removeprefix("Groups")[:-8] for logical_id in found}


def _rules(stack: Any, direction: str, other: str) -> set[tuple[str, str, int | None, int | None]]:
    """Own role, other role, first and last port of each standing rule."""
    groups = _groups(stack)
    rules = [r["Properties"] for r in stack.find_resources(f"AWS::EC2::SecurityGroup{direction}").values()]
    return {
        (
            groups[rule["GroupId"]["Fn::GetAtt"][0]],
            groups[rule[other]["Fn::GetAtt"][0]],
            rule.get("FromPort"),
            rule.get("ToPort"),
        )
        for rule in rules
    }


def _opened(stack: Any) -> set[tuple[str, str, int | None, int | None]]:
    return _rules(stack, "Egress", "DestinationSecurityGroupId")


def _admitted(stack: Any) -> set[tuple[str, str, int | None, int | None]]:
    return _rules(stack, "Ingress", "SourceSecurityGroupId")


def test_subnets_stand_in_zones_by_id_and_carry_the_load_balancer_tag(network: Any) -> None:
    for zone_id, cidr in (("usw2-az4", "10.20.0.0/19"), ("usw2-az1", "10.20.32.0/19")):
        subnets = network.find_resources(
            "AWS::EC2::Subnet", {"Properties": {"AvailabilityZoneId": zone_id, "CidrBlock": cidr}}
        )
        (subnet,) = subnets.values()
        assert {"Key": "kubernetes.io/role/internal-elb", "Value": "1"} in subnet["Properties"]["Tags"]
        assert "AvailabilityZone" not in subnet["Properties"]


def test_no_subnet_gives_public_addresses_by_itself(network: Any) -> None:
    subnets = network.find_resources("AWS::EC2::Subnet").values()
    assert {subnet["Properties"]["MapPublicIpOnLaunch"] for subnet in subnets} == {False}


def test_every_flow_is_allowed_at_both_ends(network: Any) -> None:
    """Each group admits the flows that the other may open, and nothing else."""
    assert {(target, source, *ports) for source, target, *ports in _opened(network)} == _admitted(network)


def test_the_rules_are_those_that_the_parts_need(network: Any) -> None:
    """Source: EKS security group requirements, EFA and FSx for Lustre guides."""
    pairs = (("lustre", "lustre"), ("lustre", "storageclient"), ("storageclient", "lustre"))
    lustre = {(*pair, *ports) for pair in pairs for ports in ((988, 988), (1018, 1023))}
    assert _admitted(network) == lustre | {
        ("controlplane", "node", 443, 443),
        ("controlplane", "kubectl", 443, 443),
        ("controlplane", "workstation", 443, 443),
        ("endpoint", "workstation", 443, 443),
        ("node", "controlplane", 443, 443),
        ("node", "controlplane", 10250, 10250),
        ("endpoint", "node", 443, 443),
        ("endpoint", "kubectl", 443, 443),
        ("efa", "efa", None, None),
    }


def test_efa_traffic_is_all_traffic_within_its_group(network: Any) -> None:
    rules = [
        resource["Properties"]
        for kind in ("Ingress", "Egress")
        for logical_id, resource in network.find_resources(f"AWS::EC2::SecurityGroup{kind}").items()
        if logical_id.startswith("Groupsefa")
    ]
    assert [rule["IpProtocol"] for rule in rules] == ["-1", "-1"]


def test_no_group_admits_addresses_and_only_some_reach_the_internet(network: Any) -> None:
    """Ingress comes from groups alone. Egress by address is HTTPS of those who need it, or the stand-in for none."""
    ingress = network.find_resources("AWS::EC2::SecurityGroupIngress").values()
    assert all("CidrIp" not in rule["Properties"] and "CidrIpv6" not in rule["Properties"] for rule in ingress)
    open_to_all = set()
    for logical_id, group in network.find_resources("AWS::EC2::SecurityGroup").items():
        assert "SecurityGroupIngress" not in group["Properties"]
        (egress,) = group["Properties"]["SecurityGroupEgress"]
        if egress["CidrIp"] == "0.0.0.0/0":
            assert (egress["FromPort"], egress["ToPort"]) == (443, 443)
            open_to_all.add(_groups(network)[logical_id])
    assert open_to_all == {"node", "kubectl", "workstation"}


def test_the_contract_is_published(network: Any) -> None:
    """VPC, private subnets and every group, whether a stack uses them today or not."""
    exported = {str(output["Value"]) for output in network.to_json()["Outputs"].values() if "Export" in output}
    private = [
        logical_id
        for logical_id, subnet in network.find_resources("AWS::EC2::Subnet").items()
        if {"Key": "kubernetes.io/role/internal-elb", "Value": "1"} in subnet["Properties"]["Tags"]
    ]
    wanted = {str({"Ref": logical_id}) for logical_id in ("Vpc", *private)}
    wanted |= {str({"Fn::GetAtt": [logical_id, "GroupId"]}) for logical_id in _groups(network)}
    assert wanted <= exported


def test_a_single_nat_gateway_serves_both_zones(network: Any) -> None:
    network.resource_count_is("AWS::EC2::NatGateway", 1)
    routes = network.find_resources("AWS::EC2::Route", {"Properties": {"DestinationCidrBlock": "0.0.0.0/0"}})
    through_nat = [r for r in routes.values() if "NatGatewayId" in r["Properties"]]
    assert len(through_nat) == 2


def test_one_nat_gateway_per_zone_keeps_traffic_in_its_zone(stack_of: Stacks) -> None:
    stack = stack_of("train-trn1", "network", {"network.nat": "per_zone"})
    stack.resource_count_is("AWS::EC2::NatGateway", 2)
    targets = {
        resource["Properties"]["RouteTableId"]["Ref"]: resource["Properties"]["NatGatewayId"]["Ref"]
        for resource in stack.find_resources("AWS::EC2::Route").values()
        if "NatGatewayId" in resource["Properties"]
    }
    assert targets == {
        "PrivateRoutesusw2az4": "NatGatewayusw2az4",
        "PrivateRoutesusw2az1": "NatGatewayusw2az1",
    }


def test_flow_logs_record_what_was_refused(network: Any) -> None:
    network.has_resource_properties("AWS::EC2::FlowLog", {"TrafficType": "REJECT", "ResourceId": {"Ref": "Vpc"}})
    (group,) = network.find_resources("AWS::Logs::LogGroup").values()
    assert "FlowLogKey" in str(group["Properties"]["KmsKeyId"])


def test_the_network_under_data_is_protected(app_of: Callable[..., Any], tmp_path: Any) -> None:
    """Lustre's interfaces pin subnet and group, so the stack below is protected like the data itself; the cluster holds
    all objects of Kubernetes."""
    stacks = app_of("train-trn1", outdir=tmp_path, assets_copied=False).synth().stacks
    protected = {stack.stack_name: bool(stack.termination_protection) for stack in stacks}
    assert protected == {
        "train-trn1-network": True,
        "train-trn1-storage": True,
        "train-trn1-cluster": True,
        "train-trn1-system": False,
        "train-trn1-software": False,
        "train-trn1-nodes": False,
        "train-trn1-observability": False,
    }
