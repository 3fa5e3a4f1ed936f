"""VPC endpoints: which ones EC2 refuses; a gateway's routes stand in the tables that it has now."""

from __future__ import annotations

import json
from typing import Any

import pytest
from botocore.exceptions import ClientError

from local_aws.clients import local_client
from local_aws.server import LocalAws

ACCOUNT, REGION = "111122223333", "us-west-2"
ALLOWED = {"Effect": "Allow", "Action": "s3:GetObject", "Resource": "*"}
LOGS, S3 = (f"com.amazonaws.{REGION}.{name}" for name in ("logs", "s3"))


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


def refused(call: Any, **parameters: Any) -> tuple[str, str]:
    with pytest.raises(ClientError) as error:
        call(**parameters)
    return error.value.response["Error"]["Code"], error.value.response["Error"]["Message"]


@pytest.fixture
def named(ec2: Any, vpc: str) -> str:
    """The VPC, which gives its machines names."""
    ec2.modify_vpc_attribute(VpcId=vpc, EnableDnsHostnames={"Value": True})
    return vpc


@pytest.mark.parametrize("name", ["com.amazonaws.us-west-2.nothing", "com.amazonaws.us-east-1.s3", "s3"])
def test_a_service_that_there_is_not_has_no_endpoint(ec2: Any, vpc: str, name: str) -> None:
    answer = ("InvalidServiceName", f"The Vpc Endpoint Service '{name}' does not exist")
    assert refused(ec2.create_vpc_endpoint, VpcId=vpc, ServiceName=name) == answer


@pytest.mark.parametrize("kind", [{"VpcEndpointType": "Gateway"}, {}])
def test_most_services_have_no_gateway(ec2: Any, vpc: str, kind: dict[str, str]) -> None:
    """A gateway is what EC2 makes when no type is named."""
    text = "Endpoint type (Gateway) does not match available service types ([Interface])."
    assert refused(ec2.create_vpc_endpoint, VpcId=vpc, ServiceName=LOGS, **kind) == ("InvalidParameter", text)


@pytest.mark.parametrize("name", ["dynamodb", "s3"])
def test_gateways_of_services_that_have_them_are_made(ec2: Any, vpc: str, name: str) -> None:
    made = ec2.create_vpc_endpoint(VpcId=vpc, ServiceName=f"com.amazonaws.{REGION}.{name}")["VpcEndpoint"]
    assert made["VpcEndpointType"] == "Gateway"


@pytest.mark.parametrize("attribute", ["EnableDnsSupport", "EnableDnsHostnames"])
def test_private_names_need_a_network_with_names(ec2: Any, named: str, attribute: str) -> None:
    ec2.modify_vpc_attribute(VpcId=named, **{attribute: {"Value": False}})
    wish = {"VpcId": named, "ServiceName": LOGS, "VpcEndpointType": "Interface"}
    code, text = refused(ec2.create_vpc_endpoint, **wish, PrivateDnsEnabled=True)
    assert (code, "enableDnsHostnames VPC attributes set to true" in text) == ("InvalidParameter", True)
    made = ec2.create_vpc_endpoint(**wish, PrivateDnsEnabled=False)["VpcEndpoint"]["VpcEndpointId"]
    code, _ = refused(ec2.modify_vpc_endpoint, VpcEndpointId=made, PrivateDnsEnabled=True)
    assert code == "InvalidParameter"


def test_one_endpoint_of_a_network_has_the_private_name(ec2: Any, named: str) -> None:
    wish = {"VpcId": named, "ServiceName": f"com.amazonaws.{REGION}.ecr.api", "VpcEndpointType": "Interface"}
    ec2.create_vpc_endpoint(**wish, PrivateDnsEnabled=True)
    text = (
        "private-dns-enabled cannot be set because there is already a conflicting DNS domain for "
        f"api.ecr.{REGION}.amazonaws.com in the VPC {named}"
    )
    assert refused(ec2.create_vpc_endpoint, **wish, PrivateDnsEnabled=True) == ("InvalidParameter", text)
    second = ec2.create_vpc_endpoint(**wish, PrivateDnsEnabled=False)["VpcEndpoint"]["VpcEndpointId"]
    change = {"VpcEndpointId": second, "PrivateDnsEnabled": True}
    assert refused(ec2.modify_vpc_endpoint, **change) == ("InvalidParameter", text)


def test_a_route_table_has_one_gateway_to_a_service(ec2: Any, vpc: str) -> None:
    first, second = route_table(ec2, vpc), route_table(ec2, vpc)
    gateway(ec2, vpc, first)
    code, text = refused(ec2.create_vpc_endpoint, VpcId=vpc, ServiceName=S3, RouteTableIds=[first])
    assert (code, text.startswith(f"route table {first} already has a route")) == ("RouteAlreadyExists", True)
    other = gateway(ec2, vpc, second)
    code, _ = refused(ec2.modify_vpc_endpoint, VpcEndpointId=other, AddRouteTableIds=[first])
    assert code == "RouteAlreadyExists"


def test_the_groups_of_an_endpoint_are_of_its_network(ec2: Any, vpc: str) -> None:
    elsewhere = ec2.create_vpc(CidrBlock="10.1.0.0/16")["Vpc"]["VpcId"]
    foreign = ec2.create_security_group(GroupName="foreign", Description="x", VpcId=elsewhere)["GroupId"]
    wish = {"VpcId": vpc, "ServiceName": LOGS, "VpcEndpointType": "Interface", "PrivateDnsEnabled": False}
    made = ec2.create_vpc_endpoint(**wish)["VpcEndpoint"]["VpcEndpointId"]
    for group, code in ((foreign, "InvalidParameter"), ("sg-00000000000000000", "InvalidGroup.NotFound")):
        assert refused(ec2.create_vpc_endpoint, **wish, SecurityGroupIds=[group])[0] == code
        assert refused(ec2.modify_vpc_endpoint, VpcEndpointId=made, AddSecurityGroupIds=[group])[0] == code


def test_what_there_is_not_is_not_changed(ec2: Any) -> None:
    code, _ = refused(ec2.modify_vpc_endpoint, VpcEndpointId="vpce-00000000000000000", AddRouteTableIds=["rtb-1"])
    assert code == "InvalidVpcEndpointId.NotFound"


@pytest.mark.parametrize(
    ("members", "code"),
    [
        ({"SecurityGroupIds": ["sg-0123456789abcdef0"]}, "InvalidParameter"),
        ({"PrivateDnsEnabled": True}, "InvalidParameter"),
        ({"PolicyDocument": "{"}, "InvalidPolicyDocument"),
        ({"PolicyDocument": json.dumps({"Statement": {**ALLOWED}})}, "InvalidPolicyDocument"),
        (
            {"PolicyDocument": json.dumps({"Statement": [{**ALLOWED, "Principal": "*"}, ALLOWED]})},
            "InvalidPolicyDocument",
        ),
    ],
)
def test_a_gateway_has_neither_groups_nor_names_and_a_policy_with_principals(
    ec2: Any, vpc: str, members: dict[str, Any], code: str
) -> None:
    gateway = {"VpcId": vpc, "ServiceName": "com.amazonaws.us-west-2.s3"}
    with pytest.raises(ClientError) as error:
        ec2.create_vpc_endpoint(**gateway, **members)
    assert error.value.response["Error"]["Code"] == code
    policy = json.dumps({"Statement": [{**ALLOWED, "Principal": "*"}]})
    endpoint = ec2.create_vpc_endpoint(**gateway, PolicyDocument=policy)["VpcEndpoint"]["VpcEndpointId"]
    if "PolicyDocument" in members:
        with pytest.raises(ClientError, match="InvalidPolicyDocument"):
            ec2.modify_vpc_endpoint(VpcEndpointId=endpoint, **members)
    ec2.delete_vpc_endpoints(VpcEndpointIds=[endpoint])


def test_endpoints_are_found_by_a_filter_of_ids_also_of_one_that_does_not_exist(ec2: Any, vpc: str) -> None:
    endpoint = gateway(ec2, vpc, route_table(ec2, vpc))
    other = str(ec2.create_vpc(CidrBlock="10.1.0.0/16")["Vpc"]["VpcId"])
    gateway(ec2, other, route_table(ec2, other))
    ids = [endpoint, "vpce-0123456789abcdef0"]
    found = ec2.describe_vpc_endpoints(Filters=[{"Name": "vpc-endpoint-id", "Values": ids}])["VpcEndpoints"]
    assert [each["VpcEndpointId"] for each in found] == [endpoint]
