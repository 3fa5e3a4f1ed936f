"""A network without a way to the internet: everything that nodes and functions call has an endpoint."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

NEEDED = {
    "lambda", "sts", "eks", "eks-auth", "ecr.api", "ecr.dkr", "s3", "ec2", "logs", "kms", "ssm", "ssmmessages",
    "ec2messages", "fsx", "autoscaling",
}  # fmt: skip

WITHOUT_PUBLIC_CHARTS = {
    "network.nat": "none",
    "network.endpoints": "all",
    "eks.addons": {"neuron_device_plugin": False, "neuron_node_problem_detector": False, "efa_device_plugin": False},
}


@pytest.fixture(scope="module")
def network(stack_of: Callable[..., Any]) -> Any:
    return stack_of("train-trn1", "network", WITHOUT_PUBLIC_CHARTS)


def test_there_is_no_way_out(network: Any) -> None:
    for type_name in ("AWS::EC2::NatGateway", "AWS::EC2::InternetGateway", "AWS::EC2::EIP", "AWS::EC2::Route"):
        network.resource_count_is(type_name, 0)


def test_every_service_that_nodes_and_functions_call_has_an_endpoint(network: Any) -> None:
    names = [e["Properties"]["ServiceName"] for e in network.find_resources("AWS::EC2::VPCEndpoint").values()]
    assert {str(name).removeprefix("com.amazonaws.us-west-2.") for name in names} >= NEEDED


def test_interface_endpoints_answer_by_name_in_every_zone_and_only_https(network: Any) -> None:
    endpoints = network.find_resources("AWS::EC2::VPCEndpoint", {"Properties": {"VpcEndpointType": "Interface"}})
    for endpoint in (e["Properties"] for e in endpoints.values()):
        assert endpoint["PrivateDnsEnabled"] is True
        assert endpoint["SubnetIds"] == [{"Ref": "Privateusw2az4"}, {"Ref": "Privateusw2az1"}]
        assert len(endpoint["SecurityGroupIds"]) == 1
        assert endpoint["SecurityGroupIds"][0]["Fn::GetAtt"][0].startswith("Groupsendpoint")


def test_the_gateway_endpoint_is_in_every_private_route_table(network: Any) -> None:
    (gateway,) = network.find_resources(
        "AWS::EC2::VPCEndpoint", {"Properties": {"VpcEndpointType": "Gateway"}}
    ).values()
    assert gateway["Properties"]["RouteTableIds"] == [{"Ref": "PrivateRoutesusw2az4"}, {"Ref": "PrivateRoutesusw2az1"}]
