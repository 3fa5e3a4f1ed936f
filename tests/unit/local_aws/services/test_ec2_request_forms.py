"""Forms that EC2 and KMS reject: rules of groups, routes, gateways, endpoints, blocks, volumes, key specs."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

OWN_GROUND = True

Refused = Callable[..., tuple[str, str]]
BLOCK = {"IpRanges": [{"CidrIp": "10.0.0.0/8"}]}
ZONE = {"AvailabilityZone": "us-west-2a"}


@pytest.fixture
def ec2(client: Callable[[str], Any]) -> Any:
    return client("ec2")


@pytest.mark.parametrize(
    ("permission", "text"),
    [
        ({"IpProtocol": "tcp", "FromPort": 65536, "ToPort": 65536}, "TCP/UDP (from) port (65536) out of range"),
        ({"IpProtocol": "udp", "FromPort": 0, "ToPort": 65536}, "TCP/UDP (to) port (65536) out of range"),
        ({"IpProtocol": "tcp", "FromPort": -1, "ToPort": 80}, "TCP/UDP (from) port (-1) out of range"),
        ({"IpProtocol": "6", "FromPort": 80, "ToPort": 79}, "Invalid TCP/UDP port range (80:79)"),
        ({"IpProtocol": "icmp", "FromPort": 256, "ToPort": 0}, "ICMP type (256) out of range"),
        ({"IpProtocol": "icmpv6", "FromPort": -1, "ToPort": 256}, "ICMP code (256) out of range"),
        ({"IpProtocol": "-1", "IpRanges": [{"CidrIp": "10.0.0.0/8", "Description": "ä"}]}, "Invalid rule description."),
    ],
)
def test_a_rule_is_rejected(ec2: Any, refused: Refused, ground: Any, permission: dict[str, Any], text: str) -> None:
    given = {"GroupId": ground.group, "IpPermissions": [{**BLOCK, **permission}]}
    code, message = refused(ec2.authorize_security_group_egress, **given)
    assert (code, text in message) == ("InvalidParameterValue", True), message


def test_rules_at_their_bounds_are_kept(ec2: Any, ground: Any) -> None:
    described = [{"CidrIp": "10.0.0.0/8", "Description": "a-Z0. _:/()#,@[]+=&;{}!$*"}]
    wanted = [
        {"IpProtocol": "tcp", "FromPort": 0, "ToPort": 65535, "IpRanges": described},
        {"IpProtocol": "icmp", "FromPort": 255, "ToPort": 255, **BLOCK},
        {"IpProtocol": "icmpv6", "FromPort": -1, "ToPort": -1, **BLOCK},
    ]
    ec2.authorize_security_group_ingress(GroupId=ground.group, IpPermissions=wanted)
    (kept,) = ec2.describe_security_groups(GroupIds=[ground.group])["SecurityGroups"]
    assert len(kept["IpPermissions"]) == len(wanted)


@pytest.mark.parametrize(("name", "description"), [("sg-mine", "x"), ("größe", "x"), ("mine", "größe")])
def test_a_group_is_rejected(ec2: Any, refused: Refused, ground: Any, name: str, description: str) -> None:
    given = {"GroupName": name, "Description": description, "VpcId": ground.vpc}
    code, message = refused(ec2.create_security_group, **given)
    assert (code, " is invalid. " in message) == ("InvalidParameterValue", True)


def test_a_route_has_one_target(ec2: Any, refused: Refused, ground: Any) -> None:
    table = ec2.create_route_table(VpcId=ground.vpc)["RouteTable"]["RouteTableId"]
    gateway = ec2.create_internet_gateway()["InternetGateway"]["InternetGatewayId"]
    ec2.attach_internet_gateway(InternetGatewayId=gateway, VpcId=ground.vpc)
    route = {"RouteTableId": table, "DestinationCidrBlock": "0.0.0.0/0"}
    for targets in ({}, {"GatewayId": gateway, "NatGatewayId": "nat-0123456789abcdef0"}):
        code, text = refused(ec2.create_route, **route, **targets)
        assert (code, "must contain exactly one of gatewayId, localG" in text) == ("InvalidParameterCombination", True)
    ec2.create_route(**route, GatewayId=gateway)


def test_only_a_public_gateway_has_an_address(ec2: Any, refused: Refused, ground: Any) -> None:
    address = ec2.allocate_address(Domain="vpc")["AllocationId"]
    given = {"SubnetId": ground.subnets[0]}
    secondary = {"SecondaryPrivateIpAddressCount": 1, "SecondaryPrivateIpAddresses": ["10.0.0.9"]}
    answers = [
        refused(ec2.create_nat_gateway, **given, ConnectivityType="private", AllocationId=address),
        refused(ec2.create_nat_gateway, **given),
        refused(ec2.create_nat_gateway, **given, ConnectivityType="private", **secondary),
    ]
    assert [code for code, _ in answers] == [
        "InvalidParameterCombination",
        "MissingParameter",
        "InvalidParameterCombination",
    ]
    assert answers[0][1] == "AllocationId cannot be specified for a NAT Gateway with Connectivity Type private."
    ec2.create_nat_gateway(**given, ConnectivityType="private")
    code, text = refused(ec2.create_nat_gateway, **given, AllocationId=address)
    assert (code, text) == ("Gateway.NotAttached", f"Network {ground.vpc} has no Internet gateway attached")
    attach_gateway(ec2, ground.vpc)
    ec2.create_nat_gateway(**given, AllocationId=address)


def attach_gateway(ec2: Any, vpc: str) -> str:
    gateway: str = ec2.create_internet_gateway()["InternetGateway"]["InternetGatewayId"]
    ec2.attach_internet_gateway(InternetGatewayId=gateway, VpcId=vpc)
    return gateway


def test_a_route_leads_to_a_gateway_of_its_network(ec2: Any, refused: Refused, ground: Any) -> None:
    table = ec2.create_route_table(VpcId=ground.vpc)["RouteTable"]["RouteTableId"]
    route = {"RouteTableId": table, "DestinationCidrBlock": "0.0.0.0/0"}
    foreign = ec2.create_vpc(CidrBlock="10.8.0.0/16")["Vpc"]["VpcId"]
    detached = ec2.create_internet_gateway()["InternetGateway"]["InternetGatewayId"]
    for gateway in (detached, attach_gateway(ec2, foreign)):
        text = f"route table {table} and network gateway {gateway} belong to different networks"
        assert refused(ec2.create_route, **route, GatewayId=gateway) == ("InvalidParameterValue", text)
    code, _ = refused(ec2.create_route, **route, NatGatewayId="nat-0123456789abcdef0")
    assert code == "InvalidNatGatewayID.NotFound"
    other = ec2.create_route_table(VpcId=foreign)["RouteTable"]["RouteTableId"]
    code, text = refused(ec2.associate_route_table, RouteTableId=other, SubnetId=ground.subnets[0])
    assert (code, "belong to different networks" in text) == ("InvalidParameterValue", True)
    endpoint = {"VpcId": ground.vpc, "ServiceName": "com.amazonaws.us-west-2.dynamodb"}
    assert refused(ec2.create_vpc_endpoint, **endpoint, RouteTableIds=[other])[0] == "InvalidParameter"
    made = ec2.create_vpc_endpoint(**endpoint, RouteTableIds=[table])["VpcEndpoint"]["VpcEndpointId"]
    assert refused(ec2.modify_vpc_endpoint, VpcEndpointId=made, AddRouteTableIds=[other])[0] == "InvalidParameter"


@pytest.mark.parametrize("protocol", ["tcpp", "all", "256", "-2"])
def test_a_rule_has_a_known_protocol(ec2: Any, refused: Refused, ground: Any, protocol: str) -> None:
    rule = {"IpProtocol": protocol, "FromPort": 1, "ToPort": 1, **BLOCK}
    answer = refused(ec2.authorize_security_group_ingress, GroupId=ground.group, IpPermissions=[rule])
    assert answer == ("InvalidParameterValue", f"Invalid value '{protocol}' for IP protocol. Unknown protocol.")
    known = [{"IpProtocol": each, **BLOCK} for each in ("50", "255", "-1")]
    ec2.authorize_security_group_egress(GroupId=ground.group, IpPermissions=known[:2])
    ec2.revoke_security_group_egress(GroupId=ground.group, IpPermissions=known[:2])


@pytest.mark.parametrize(
    ("tags", "text"),
    [
        ([{"Key": "a", "Value": "b"}, {"Key": "a", "Value": "c"}], "Duplicate tag key 'a' specified."),
        ([{"Key": "a", "Value": "b" * 257}], "Tag value exceeds the maximum length of 256 characters"),
    ],
)
def test_a_resource_has_valid_tags(ec2: Any, refused: Refused, tags: list[dict[str, str]], text: str) -> None:
    """In a template, the tags of what it makes and its own."""
    of_vpc = [{"ResourceType": "vpc", "Tags": tags}]
    answer = ("InvalidParameterValue", text)
    assert refused(ec2.create_vpc, CidrBlock="10.7.0.0/16", TagSpecifications=of_vpc) == answer
    data = {"TagSpecifications": [{"ResourceType": "instance", "Tags": tags}]}
    assert refused(ec2.create_launch_template, LaunchTemplateName="tagged", LaunchTemplateData=data) == answer


def test_an_instance_has_a_profile_that_exists(ec2: Any, refused: Refused) -> None:
    wish = {"ImageId": "ami-0123456789abcdef0", "InstanceType": "c7i.large", "MinCount": 1, "MaxCount": 1}
    code, text = refused(ec2.run_instances, **wish, IamInstanceProfile={"Name": "nobody"})
    assert (code, "Invalid IAM Instance Profile name" in text) == ("InvalidParameterValue", True)


def test_an_endpoint_has_one_subnet_in_each_zone(ec2: Any, refused: Refused, ground: Any) -> None:
    zone = ec2.describe_subnets(SubnetIds=ground.subnets[:1])["Subnets"][0]["AvailabilityZone"]
    second = ec2.create_subnet(VpcId=ground.vpc, CidrBlock="10.0.9.0/24", AvailabilityZone=zone)["Subnet"]["SubnetId"]
    given = {"VpcId": ground.vpc, "VpcEndpointType": "Interface", "ServiceName": "com.amazonaws.us-west-2.ecr.api"}
    code, text = refused(ec2.create_vpc_endpoint, **given, SubnetIds=[ground.subnets[0], second])
    assert (code, "Found another VPC endpoint subnet in the av" in text) == ("DuplicateSubnetsInSameZone", True)
    made = ec2.create_vpc_endpoint(**given, SubnetIds=ground.subnets)["VpcEndpoint"]["VpcEndpointId"]
    code, _ = refused(ec2.modify_vpc_endpoint, VpcEndpointId=made, AddSubnetIds=[second])
    assert code == "DuplicateSubnetsInSameZone"


@pytest.mark.parametrize(
    ("kind", "service", "members", "text"),
    [
        ("Gateway", "ssm", {}, "Endpoint type (Gateway) does not match available service types ([Interface])."),
        ("Gateway", "s3", {"SubnetIds": ["subnet-1"]}, "Subnet IDs are only supported for Interface and Gateway"),
        ("Interface", "ssm", {"RouteTableIds": ["rtb-1"]}, "Route table IDs are only supported for Gateway type"),
    ],
)
def test_an_endpoint_is_rejected(
    *, ec2: Any, refused: Refused, ground: Any, kind: str, service: str, members: Any, text: str
) -> None:
    given = {"VpcId": ground.vpc, "VpcEndpointType": kind, "ServiceName": f"com.amazonaws.us-west-2.{service}"}
    code, message = refused(ec2.create_vpc_endpoint, **given, **members)
    assert (code, text in message) == ("InvalidParameter", True)


def test_templates_have_a_plain_name_and_one_kind_of_type(ec2: Any, refused: Refused) -> None:
    wanted: dict[str, Any] = {"InstanceType": "m5.large"}
    for name in ("ab", "with space", "x" * 129):
        code, _ = refused(ec2.create_launch_template, LaunchTemplateName=name, LaunchTemplateData=wanted)
        assert code == "InvalidLaunchTemplateName.MalformedException"
    requirements = {"InstanceRequirements": {"VCpuCount": {"Min": 2}, "MemoryMiB": {"Min": 1024}}}
    data = {**wanted, **requirements}
    code, text = refused(ec2.create_launch_template, LaunchTemplateName="both", LaunchTemplateData=data)
    assert (code, "but not both." in text) == ("InvalidParameterCombination", True)
    ec2.create_launch_template(LaunchTemplateName="(a).b/c_d-1", LaunchTemplateData=requirements)


@pytest.mark.parametrize("block", ["10.0.0.0/15", "10.0.0.0/29", "127.0.0.0/16", "169.254.0.0/20", "224.0.0.0/16"])
def test_a_block_of_a_vpc_is_rejected(ec2: Any, refused: Refused, block: str) -> None:
    assert refused(ec2.create_vpc, CidrBlock=block) == ("InvalidVpc.Range", f"The CIDR '{block}' is invalid.")


@pytest.mark.parametrize("block", ["10.0.0.0/16", "10.0.0.0/28", "100.64.0.0/16", "240.0.0.0/16"])
def test_a_block_of_a_vpc_is_taken(ec2: Any, block: str) -> None:
    assert ec2.create_vpc(CidrBlock=block)["Vpc"]["CidrBlock"] == block


def test_dns64_wants_addresses_of_ipv6(ec2: Any, refused: Refused, ground: Any) -> None:
    code, text = refused(ec2.modify_subnet_attribute, SubnetId=ground.subnets[0], EnableDns64={"Value": True})
    assert (code, "has an IPv6 CIDR block associated" in text) == ("InvalidParameterCombination", True)
    ec2.modify_subnet_attribute(SubnetId=ground.subnets[0], EnableDns64={"Value": False})


def test_records_of_flow_logs_have_known_fields(ec2: Any, refused: Refused, ground: Any) -> None:
    given = {"ResourceIds": [ground.vpc], "ResourceType": "VPC", "TrafficType": "ALL", "LogDestinationType": "s3"}
    log = {**given, "LogDestination": "arn:aws:s3:::logs-of-flows", "MaxAggregationInterval": 60}
    answer = refused(ec2.create_flow_logs, **log, LogFormat="${version} ${colour}")
    assert answer == ("InvalidParameter", "Unknown fields provided: 'colour'")


@pytest.mark.parametrize(
    ("volume", "text"),
    [
        ({"VolumeType": "io1", "Size": 3, "Iops": 100}, "io1 volumes must be at least 4 GiB in size."),
        ({"VolumeType": "sc1", "Size": 124}, "sc1 volumes must be at least 125 GiB in size."),
        ({"VolumeType": "io1", "Size": 1300, "Iops": 64001}, "Volume iops of 64001 is too high; maximum is 64000."),
        ({"VolumeType": "io1", "Size": 10, "Iops": 501}, "ratio of 50.100000 is too high; maximum is 50"),
        ({"VolumeType": "io2", "Size": 10, "Iops": 10001}, "ratio of 1000.100000 is too high; maximum is 1000"),
        ({"VolumeType": "io2", "Size": 10, "Iops": 99}, "Volume iops of 99 is too low; minimum is 100."),
        (
            {"VolumeType": "gp3", "Size": 10, "MultiAttachEnabled": True},
            "Multi-Attach is not supported for gp3 volumes.",
        ),
    ],
)
def test_a_volume_is_rejected(ec2: Any, refused: Refused, volume: dict[str, Any], text: str) -> None:
    code, message = refused(ec2.create_volume, **ZONE, **volume)
    assert (code, text in message) == ("InvalidParameterValue", True), message


@pytest.mark.parametrize(
    "volume",
    [
        {"VolumeType": "io1", "Size": 4, "Iops": 200},
        {"VolumeType": "io2", "Size": 4, "Iops": 4000},
        {"VolumeType": "st1", "Size": 125},
        {"VolumeType": "gp3", "Size": 1, "Iops": 100},
        {"VolumeType": "gp3", "Size": 1, "Iops": 3000, "Throughput": 750},
    ],
)
def test_a_volume_is_made(ec2: Any, volume: dict[str, Any]) -> None:
    made = ec2.create_volume(**ZONE, **volume)
    assert made["Size"] == volume["Size"]
    ec2.delete_volume(VolumeId=made["VolumeId"])


@pytest.mark.parametrize(
    ("key", "code", "text"),
    [
        (
            {"KeySpec": "SM2", "KeyUsage": "SIGN_VERIFY"},
            "UnsupportedOperationException",
            "not supported in this Region",
        ),
        ({"KeySpec": "HMAC_256"}, "ValidationException", "You must specify a KeyUsage value"),
        (
            {"KeySpec": "HMAC_256", "KeyUsage": "ENCRYPT_DECRYPT"},
            "ValidationException",
            "KeyUsage ENCRYPT_DECRYPT is not compatible with KeySpec HMAC_256",
        ),
        (
            {"KeySpec": "ML_DSA_44", "KeyUsage": "SIGN_VERIFY", "Origin": "EXTERNAL"},
            "UnsupportedOperationException",
            "KeySpec ML_DSA_44 is not supported for Origin EXTERNAL",
        ),
    ],
)
def test_a_key_is_rejected(client: Callable[[str], Any], refused: Refused, key: Any, code: str, text: str) -> None:
    answer, message = refused(client("kms").create_key, **key)
    assert (answer, text in message) == (code, True)


@pytest.mark.parametrize(
    "key",
    [
        {"KeySpec": "ML_DSA_65", "KeyUsage": "SIGN_VERIFY"},
        {"KeySpec": "RSA_2048", "KeyUsage": "ENCRYPT_DECRYPT"},
        {"KeySpec": "HMAC_256", "KeyUsage": "GENERATE_VERIFY_MAC"},
        {"KeySpec": "ECC_NIST_P256", "KeyUsage": "KEY_AGREEMENT"},
    ],
)
def test_a_key_is_made(client: Callable[[str], Any], key: dict[str, str]) -> None:
    metadata = client("kms").create_key(**key)["KeyMetadata"]
    assert {name: metadata[name] for name in key} == key


def test_aliases_of_aws_are_its_own(client: Callable[[str], Any], refused: Refused) -> None:
    kms = client("kms")
    key = kms.create_key()["KeyMetadata"]["KeyId"]
    code, _ = refused(kms.create_alias, AliasName="alias/aws/mine", TargetKeyId=key)
    assert code == "NotAuthorizedException"
    kms.create_alias(AliasName="alias/mine", TargetKeyId=key)
