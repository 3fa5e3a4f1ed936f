"""Resources of a network that EC2 does not create or delete."""

from __future__ import annotations

from typing import Any

import pytest
from botocore.exceptions import ClientError

from local_aws.engine.provider import Resource

pytestmark = pytest.mark.slow  # many calls, together longer than a fast module may take

SUBNET = "AWS::EC2::Subnet"


@pytest.fixture
def vpc(bench: Any) -> Resource:
    resource: Resource = bench.create("AWS::EC2::VPC", {"CidrBlock": "10.0.0.0/16"})
    return resource


@pytest.fixture
def subnet(bench: Any, vpc: Resource) -> Resource:
    resource: Resource = bench.create(SUBNET, {"VpcId": vpc.physical_id, "CidrBlock": "10.0.0.0/24"})
    return resource


def test_a_vpc_gives_its_attributes(bench: Any, vpc: Resource) -> None:
    """The default group and network ACL are those that EC2 made with it."""
    groups = bench.client("ec2").describe_security_groups(Filters=[{"Name": "vpc-id", "Values": [vpc.physical_id]}])
    assert vpc.attributes["DefaultSecurityGroup"] == groups["SecurityGroups"][0]["GroupId"]
    assert vpc.attributes["VpcId"] == vpc.physical_id
    assert vpc.attributes["CidrBlock"] == "10.0.0.0/16"
    assert vpc.attributes["DefaultNetworkAcl"].startswith("acl-")


@pytest.mark.parametrize(
    ("region", "zone_id", "zone"),
    [
        ("us-west-2", "usw2-az4", "us-west-2d"),
        ("us-east-1", "use1-az6", "us-east-1a"),
        ("us-east-2", "use2-az3", "us-east-2c"),
    ],
)
def test_a_subnet_by_zone_id_knows_its_zone(bench: Any, region: str, zone_id: str, zone: str) -> None:
    """In each Region with its own zones."""
    bench.region = region
    vpc = bench.create("AWS::EC2::VPC", {"CidrBlock": "10.0.0.0/16"}).physical_id
    subnet = bench.create(SUBNET, {"VpcId": vpc, "CidrBlock": "10.0.0.0/24", "AvailabilityZoneId": zone_id})
    assert subnet.attributes["AvailabilityZone"] == zone
    assert subnet.attributes["AvailabilityZoneId"] == zone_id
    found = bench.client("ec2").describe_subnets(Filters=[{"Name": "availability-zone", "Values": [zone]}])["Subnets"]
    assert subnet.physical_id in [each["SubnetId"] for each in found]


def test_a_subnet_has_its_ipv6_block(bench: Any, vpc: Resource) -> None:
    ec2 = bench.client("ec2")
    ec2.associate_vpc_cidr_block(VpcId=vpc.physical_id, AmazonProvidedIpv6CidrBlock=True)
    (row,) = ec2.describe_vpcs(VpcIds=[vpc.physical_id])["Vpcs"]
    block = row["Ipv6CidrBlockAssociationSet"][0]["Ipv6CidrBlock"].replace("/56", "/64")
    given = {"VpcId": vpc.physical_id, "CidrBlock": "10.0.0.0/24", "Ipv6CidrBlock": block, "EnableDns64": True}
    subnet = bench.create(SUBNET, given)
    assert bench.read(SUBNET, subnet).items() >= given.items()


@pytest.mark.parametrize(
    ("more", "code"),
    [
        ({"CidrBlock": "10.0.9.0/24", "AvailabilityZoneId": "usw2-az99"}, "InvalidParameterValue"),
        ({"CidrBlock": "10.0.9.0/24", "AvailabilityZoneId": "use1-az1"}, "InvalidParameterValue"),
        ({"CidrBlock": "10.0.9.0/24", "AvailabilityZone": "us-east-1a"}, "InvalidParameterValue"),
        ({"CidrBlock": "10.0.0.128/25"}, r"InvalidSubnet\.Conflict"),
        ({"CidrBlock": "10.1.0.0/24"}, r"InvalidSubnet\.Range"),
    ],
)
def test_a_subnet_that_cannot_be(bench: Any, subnet: Resource, more: dict[str, str], code: str) -> None:
    """Zones of nowhere and of another Region, addresses that are taken or outside."""
    with pytest.raises(ClientError, match=code):
        bench.create(SUBNET, {"VpcId": subnet.attributes["VpcId"], **more})


def test_a_subnet_with_an_interface_is_not_deleted(bench: Any, subnet: Resource) -> None:
    """Until the interface is gone."""
    properties = {"SubnetId": subnet.physical_id}
    interface = bench.create("AWS::EC2::NetworkInterface", properties)
    with pytest.raises(ClientError, match="DependencyViolation"):
        bench.delete(SUBNET, subnet, {})
    bench.delete("AWS::EC2::NetworkInterface", interface, properties)
    bench.delete(SUBNET, subnet, {})


def test_an_interface_endpoint_holds_subnet_and_group(bench: Any, vpc: Resource, subnet: Resource) -> None:
    """Its interface lies in the subnet, with an address of it and with the group, and goes with the endpoint."""
    group = bench.create("AWS::EC2::SecurityGroup", {"VpcId": vpc.physical_id, "GroupDescription": "x"})
    properties = {
        "VpcId": vpc.physical_id,
        "ServiceName": "com.amazonaws.us-west-2.eks",
        "VpcEndpointType": "Interface",
        "SubnetIds": [subnet.physical_id],
        "SecurityGroupIds": [group.physical_id],
    }
    endpoint = bench.create("AWS::EC2::VPCEndpoint", properties)
    interface = bench.client("ec2").describe_network_interfaces()["NetworkInterfaces"][0]
    assert endpoint.attributes["NetworkInterfaceIds"] == [interface["NetworkInterfaceId"]]
    assert interface["PrivateIpAddress"] == "10.0.0.4"
    for type_name, held in ((SUBNET, subnet), ("AWS::EC2::SecurityGroup", group)):
        with pytest.raises(ClientError, match="DependencyViolation"):
            bench.delete(type_name, held, {})
    bench.delete("AWS::EC2::VPCEndpoint", endpoint, properties)
    bench.delete(SUBNET, subnet, {})
    bench.delete("AWS::EC2::SecurityGroup", group, {})
    bench.delete("AWS::EC2::VPC", vpc, {})


def test_a_network_comes_down_in_order_only(bench: Any, vpc: Resource, subnet: Resource) -> None:
    """Gateway, attachment, address and subnet each wait for what stands on them."""
    gateway = bench.create("AWS::EC2::InternetGateway", {})
    attachment = {"VpcId": vpc.physical_id, "InternetGatewayId": gateway.physical_id}
    attached = bench.create("AWS::EC2::VPCGatewayAttachment", attachment)
    address = bench.create("AWS::EC2::EIP", {"Domain": "vpc"})
    nat_properties = {"SubnetId": subnet.physical_id, "AllocationId": address.attributes["AllocationId"]}
    nat = bench.create("AWS::EC2::NatGateway", nat_properties)
    for type_name, resource, properties, code in (
        ("AWS::EC2::InternetGateway", gateway, {}, "DependencyViolation"),
        ("AWS::EC2::VPCGatewayAttachment", attached, attachment, "DependencyViolation"),
        ("AWS::EC2::EIP", address, {}, r"InvalidIPAddress\.InUse"),
        (SUBNET, subnet, {}, "DependencyViolation"),
        ("AWS::EC2::VPC", vpc, {}, "DependencyViolation"),
    ):
        with pytest.raises(ClientError, match=code):
            bench.delete(type_name, resource, properties)
    bench.delete("AWS::EC2::NatGateway", nat, nat_properties)
    bench.delete("AWS::EC2::EIP", address, {})
    bench.delete(SUBNET, subnet, {})
    with pytest.raises(ClientError, match="DependencyViolation"):
        bench.delete("AWS::EC2::VPC", vpc, {})
    bench.delete("AWS::EC2::VPCGatewayAttachment", attached, attachment)
    bench.delete("AWS::EC2::InternetGateway", gateway, {})
    bench.delete("AWS::EC2::VPC", vpc, {})


def test_a_vpc_with_a_group_is_not_deleted(bench: Any, vpc: Resource) -> None:
    """Its default group alone goes with it."""
    group = bench.create("AWS::EC2::SecurityGroup", {"VpcId": vpc.physical_id, "GroupDescription": "x"})
    with pytest.raises(ClientError, match="DependencyViolation"):
        bench.delete("AWS::EC2::VPC", vpc, {})
    with pytest.raises(ClientError, match="CannotDelete"):
        bench.client("ec2").delete_security_group(GroupId=vpc.attributes["DefaultSecurityGroup"])
    bench.delete("AWS::EC2::SecurityGroup", group, {})
    bench.delete("AWS::EC2::VPC", vpc, {})


def test_a_vpc_takes_one_internet_gateway(bench: Any, vpc: Resource) -> None:
    """The second attachment is refused."""
    for expected in (None, "already has an internet gateway"):
        gateway = bench.create("AWS::EC2::InternetGateway", {}).physical_id
        attachment = {"VpcId": vpc.physical_id, "InternetGatewayId": gateway}
        if expected is None:
            bench.create("AWS::EC2::VPCGatewayAttachment", attachment)
            continue
        with pytest.raises(ClientError, match=expected):
            bench.create("AWS::EC2::VPCGatewayAttachment", attachment)


def test_a_full_subnet_takes_no_interface(bench: Any, vpc: Resource) -> None:
    """EC2 keeps five of 16 addresses."""
    small = bench.create(SUBNET, {"VpcId": vpc.physical_id, "CidrBlock": "10.0.5.0/28"}).physical_id
    interfaces = [bench.create("AWS::EC2::NetworkInterface", {"SubnetId": small}) for _ in range(11)]
    addresses = [each.attributes["PrimaryPrivateIpAddress"] for each in interfaces]
    assert addresses == [f"10.0.5.{host}" for host in range(4, 15)]
    with pytest.raises(ClientError, match="InsufficientFreeAddressesInSubnet"):
        bench.create("AWS::EC2::NetworkInterface", {"SubnetId": small})


@pytest.mark.parametrize(
    ("more", "code"),
    [
        ({"GroupSet": ["sg-00000000"]}, r"InvalidGroup\.NotFound"),
        ({"PrivateIpAddress": "10.9.9.9"}, "InvalidParameterValue"),
        ({"PrivateIpAddress": "10.0.0.4"}, r"InvalidIPAddress\.InUse"),
    ],
)
def test_an_interface_that_cannot_be(bench: Any, subnet: Resource, more: dict[str, Any], code: str) -> None:
    """Unknown groups, addresses outside and taken ones."""
    bench.create("AWS::EC2::NetworkInterface", {"SubnetId": subnet.physical_id})
    with pytest.raises(ClientError, match=code):
        bench.create("AWS::EC2::NetworkInterface", {"SubnetId": subnet.physical_id, **more})


@pytest.mark.parametrize(
    ("properties", "code"),
    [
        ({"Strategy": "cluster", "PartitionCount": 2}, "InvalidParameterCombination"),
        ({"Strategy": "partition", "PartitionCount": 8}, "InvalidParameterValue"),
    ],
)
def test_a_placement_group_that_cannot_be(bench: Any, properties: dict[str, Any], code: str) -> None:
    """Members of another strategy, and too many."""
    with pytest.raises(ClientError, match=code):
        bench.create("AWS::EC2::PlacementGroup", properties)


def test_a_placement_group_name_is_taken_once(bench: Any) -> None:
    """The API refuses the second."""
    ec2 = bench.client("ec2")
    ec2.create_placement_group(GroupName="mine", Strategy="cluster")
    with pytest.raises(ClientError, match=r"InvalidPlacementGroup\.Duplicate"):
        ec2.create_placement_group(GroupName="mine", Strategy="cluster")
    found = ec2.describe_placement_groups(Filters=[{"Name": "strategy", "Values": ["cluster"]}])["PlacementGroups"]
    assert [group["GroupName"] for group in found] == ["mine"]


def test_a_flow_log_that_is_there_already_is_refused(bench: Any, vpc: Resource) -> None:
    """EC2 says so in a success; the resource fails all the same."""
    bucket = bench.create("AWS::S3::Bucket", {}).attributes["Arn"]
    properties = {
        "ResourceId": vpc.physical_id,
        "ResourceType": "VPC",
        "TrafficType": "ALL",
        "LogDestinationType": "s3",
        "LogDestination": bucket,
    }
    bench.create("AWS::EC2::FlowLog", properties)
    with pytest.raises(ClientError, match="FlowLogAlreadyExists"):
        bench.create("AWS::EC2::FlowLog", properties)


@pytest.mark.parametrize(
    ("kind", "properties", "text"),
    [
        (
            "SecurityGroupIngress",
            {"CidrIp": "10.0.0.0/8", "SourceSecurityGroupId": "sg-0123456789abcdef0"},
            "Both CidrIp and SourceSecurityGroup cannot be specified",
        ),
        (
            "SecurityGroupEgress",
            {"CidrIp": "10.0.0.0/8", "DestinationPrefixListId": "pl-1"},
            "Both CidrIp and DestinationPrefixListId cannot be specified",
        ),
    ],
)
def test_a_rule_has_one_peer(bench: Any, kind: str, properties: dict[str, Any], text: str) -> None:
    rule = {"GroupId": "sg-0123456789abcdef0", "IpProtocol": "-1", **properties}
    with pytest.raises(ClientError, match=text):
        bench.create(f"AWS::EC2::{kind}", rule)


def test_a_subnet_without_ipv6_has_no_dns64(bench: Any) -> None:
    vpc = bench.client("ec2").create_vpc(CidrBlock="10.0.0.0/16")["Vpc"]["VpcId"]
    given = {"VpcId": vpc, "CidrBlock": "10.0.1.0/24"}
    with pytest.raises(ClientError, match="Property Ipv6CidrBlock or Ipv6IpamPoolId cannot be empty"):
        bench.create("AWS::EC2::Subnet", {**given, "EnableDns64": True})
    bench.create("AWS::EC2::Subnet", {**given, "EnableDns64": False})
