"""Requests that EC2 rejects, about placement groups, interfaces, gateways and capacity blocks, call by call."""

from __future__ import annotations

import base64
from collections.abc import Callable
from typing import Any

import pytest

OWN_GROUND = True

Refused = Callable[..., tuple[str, str]]


@pytest.fixture
def ec2(client: Callable[[str], Any]) -> Any:
    return client("ec2")


@pytest.mark.parametrize(
    ("members", "code"),
    [
        ({}, "MissingParameter"),
        ({"GroupName": "one", "Strategy": "cluster", "SpreadLevel": "host"}, "InvalidParameterCombination"),
    ],
)
def test_a_placement_group_is_refused(ec2: Any, refused: Refused, members: dict[str, Any], code: str) -> None:
    assert refused(ec2.create_placement_group, **members)[0] == code
    assert ec2.describe_placement_groups()["PlacementGroups"] == []


def test_a_placement_group_with_instances_stays(ec2: Any, refused: Refused, ground: Any) -> None:
    ec2.create_placement_group(GroupName="held", Strategy="cluster")
    wish = {"ImageId": "ami-0123456789abcdef0", "InstanceType": "c7i.large", "SubnetId": ground.subnets[0]}
    placement = {"GroupName": "held"}
    instance = ec2.run_instances(**wish, MinCount=1, MaxCount=1, Placement=placement)["Instances"][0]["InstanceId"]
    assert refused(ec2.delete_placement_group, GroupName="held")[0] == "InvalidPlacementGroup.InUse"
    ec2.terminate_instances(InstanceIds=[instance])
    ec2.delete_placement_group(GroupName="held")


def test_placement_groups_are_not_found_by_what_they_do_not_have(ec2: Any, refused: Refused) -> None:
    ec2.create_placement_group(GroupName="found", Strategy="cluster")
    code, message = refused(ec2.describe_placement_groups, Filters=[{"Name": "colour", "Values": ["red"]}])
    assert (code, "'colour'" in message) == ("InvalidParameterValue", True)
    ec2.delete_placement_group(GroupName="found")


def test_placement_groups_are_found_by_names_ids_members_and_tags(ec2: Any) -> None:
    tags = [{"Key": "team", "Value": "research"}]
    kinds: list[dict[str, Any]] = [
        {"Strategy": "cluster", "TagSpecifications": [{"ResourceType": "placement-group", "Tags": tags}]},
        {"Strategy": "partition"},
        {"Strategy": "spread", "SpreadLevel": "host"},
        {},
    ]
    made = [ec2.create_placement_group(GroupName=str(n), **kind)["PlacementGroup"] for n, kind in enumerate(kinds)]
    describe = ec2.describe_placement_groups
    assert describe()["PlacementGroups"] == made
    assert [(each["State"], each["Strategy"]) for each in made][2:] == [
        ("available", "spread"),
        ("available", "cluster"),
    ]
    assert (made[0]["Tags"], made[1]["Tags"], made[1]["PartitionCount"], made[2]["SpreadLevel"]) == (
        tags,
        [],
        2,
        "host",
    )
    assert made[0]["GroupArn"] == "arn:aws:ec2:us-west-2:300000000000:placement-group/0"
    assert "PartitionCount" not in made[0]
    assert describe(GroupNames=["2", "1"])["PlacementGroups"] == made[1:3]
    assert describe(GroupIds=[made[3]["GroupId"]])["PlacementGroups"] == made[3:]
    for name, values, found in (
        ("group-name", ["1", "2"], made[1:3]),
        ("group-arn", [made[1]["GroupArn"]], made[1:2]),
        ("spread-level", ["host"], made[2:3]),
        ("state", ["pending"], []),
        ("strategy", ["cluster"], [made[0], made[3]]),
        ("tag-key", ["team"], made[:1]),
        ("tag:team", ["research", "other"], made[:1]),
        ("tag:use", ["research"], []),
    ):
        assert describe(Filters=[{"Name": name, "Values": values}])["PlacementGroups"] == found, name
    both = [{"Name": "strategy", "Values": ["cluster"]}, {"Name": "tag-key", "Values": ["team"]}]
    assert describe(Filters=both)["PlacementGroups"] == made[:1]
    assert describe(Filters=[*both, {"Name": "tag-key", "Values": ["use"]}])["PlacementGroups"] == []
    assert describe(Filters=[{"Name": "strategy"}])["PlacementGroups"] == []
    for each in made:
        ec2.delete_placement_group(GroupName=each["GroupName"])
    assert describe()["PlacementGroups"] == []


def test_a_placement_group_that_there_is_not_is_refused(ec2: Any, refused: Refused) -> None:
    assert refused(ec2.describe_placement_groups, GroupNames=["none"])[0] == "InvalidPlacementGroup.Unknown"
    assert refused(ec2.delete_placement_group, GroupName="none")[0] == "InvalidPlacementGroup.Unknown"


def test_an_attached_interface_is_not_deleted(ec2: Any, refused: Refused, ground: Any) -> None:
    wish = {"ImageId": "ami-0123456789abcdef0", "InstanceType": "c7i.large", "SubnetId": ground.subnets[0]}
    instance = ec2.run_instances(**wish, MinCount=1, MaxCount=1)["Instances"][0]
    interface = instance["NetworkInterfaces"][0]["NetworkInterfaceId"]
    code, message = refused(ec2.delete_network_interface, NetworkInterfaceId=interface)
    assert (code, "currently in use" in message) == ("InvalidParameterValue", True)
    ec2.terminate_instances(InstanceIds=[instance["InstanceId"]])


def test_a_subnet_has_one_route_table_and_that_of_a_vpc_stays(ec2: Any, refused: Refused, ground: Any) -> None:
    subnet = ground.subnets[0]
    vpc = ec2.describe_subnets(SubnetIds=[subnet])["Subnets"][0]["VpcId"]
    one, two = (ec2.create_route_table(VpcId=vpc)["RouteTable"]["RouteTableId"] for _ in range(2))
    association = ec2.associate_route_table(SubnetId=subnet, RouteTableId=one)["AssociationId"]
    code, message = refused(ec2.associate_route_table, SubnetId=subnet, RouteTableId=two)
    assert (code, f"{two} conflicts with an existing association" in message) == ("Resource.AlreadyAssociated", True)
    assert ec2.associate_route_table(SubnetId=subnet, RouteTableId=one)["AssociationId"] == association
    ec2.disassociate_route_table(AssociationId=association)
    for table in (one, two):
        ec2.delete_route_table(RouteTableId=table)
    filters = [{"Name": "vpc-id", "Values": [vpc]}]
    (main,) = ec2.describe_route_tables(Filters=filters)["RouteTables"]
    code, message = refused(ec2.delete_route_table, RouteTableId=main["RouteTableId"])
    assert (code, "has dependencies" in message) == ("DependencyViolation", True)


def test_what_is_not_there_is_refused(ec2: Any, refused: Refused) -> None:
    assert refused(ec2.delete_nat_gateway, NatGatewayId="nat-00000000000000000")[0] == "NatGatewayNotFound"
    assert refused(ec2.describe_capacity_block_offerings, CapacityDurationHours=24)[0] == "MissingParameter"


@pytest.mark.parametrize(
    ("wish", "code"),
    [
        ({"InstanceType": "trn9.48xlarge"}, "InvalidParameterValue"),
        ({"ImageId": ""}, "MissingParameter"),
        ({"MinCount": 2, "MaxCount": 1}, "InvalidParameterValue"),
        ({"MinCount": 0}, "InvalidParameterValue"),
        ({"Placement": {"GroupName": "nowhere"}}, "InvalidPlacementGroup.Unknown"),
        ({"Placement": {"GroupId": "pg-0123456789abcdef0"}}, "InvalidPlacementGroup.Unknown"),
    ],
)
def test_a_launch_is_refused(ec2: Any, refused: Refused, ground: Any, wish: dict[str, Any], code: str) -> None:
    fine = {"ImageId": "ami-1", "InstanceType": "c7i.large", "SubnetId": ground.subnets[0], "MinCount": 1}
    assert refused(ec2.run_instances, **{**fine, "MaxCount": 1, **wish})[0] == code


def test_a_template_of_an_unknown_type_is_refused_at_its_first_use(ec2: Any, refused: Refused) -> None:
    ec2.create_launch_template(LaunchTemplateName="unknown", LaunchTemplateData={"InstanceType": "trn9.48xlarge"})
    wish = {"LaunchTemplate": {"LaunchTemplateName": "unknown"}, "MinCount": 1, "MaxCount": 1}
    answer = ("InvalidParameterValue", "Invalid value 'trn9.48xlarge' for InstanceType.")
    assert refused(ec2.run_instances, **wish) == answer


@pytest.mark.parametrize(
    ("template", "code"),
    [
        ({"LaunchTemplateId": "hello"}, "InvalidLaunchTemplateId.Malformed"),
        ({"LaunchTemplateId": "lt-0123456789abcdef0"}, "InvalidLaunchTemplateId.NotFound"),
        ({"LaunchTemplateName": "nowhere"}, "InvalidLaunchTemplateName.NotFoundException"),
        ({"LaunchTemplateName": "versions", "Version": "abc"}, "InvalidLaunchTemplateId.VersionNotFound"),
        ({"LaunchTemplateName": "versions", "Version": "0"}, "InvalidLaunchTemplateId.VersionNotFound"),
        ({"LaunchTemplateName": "versions", "Version": "2"}, "InvalidLaunchTemplateId.VersionNotFound"),
    ],
)
def test_a_launch_from_no_template_is_refused_whatever_it_overrides(
    ec2: Any, refused: Refused, ground: Any, template: dict[str, str], code: str
) -> None:
    if template.get("LaunchTemplateName") == "versions":
        ec2.create_launch_template(LaunchTemplateName="versions", LaunchTemplateData={"InstanceType": "m5.large"})
    wish = {"ImageId": "ami-1", "InstanceType": "c7i.large", "SubnetId": ground.subnets[0], "MinCount": 1}
    assert refused(ec2.run_instances, **wish, MaxCount=1, LaunchTemplate=template)[0] == code
    if template.get("LaunchTemplateName") == "versions":
        ec2.delete_launch_template(LaunchTemplateName="versions")


def test_user_data_is_limited(ec2: Any, refused: Refused, ground: Any) -> None:
    """botocore encodes that of a launch; a template has base64."""
    launch = {
        "ImageId": "ami-1",
        "InstanceType": "c7i.large",
        "SubnetId": ground.subnets[0],
        "MinCount": 1,
        "MaxCount": 1,
    }
    for size in (16385, 16387, 20000):
        assert "limited to 16384 bytes" in refused(ec2.run_instances, **launch, UserData="x" * size)[1]
        data = {"UserData": base64.b64encode(b"x" * size).decode()}
        code, _ = refused(ec2.create_launch_template, LaunchTemplateName="long", LaunchTemplateData=data)
        assert code == "InvalidUserData.Malformed"
    ec2.run_instances(**launch, UserData="x" * 16384)
    data = {"UserData": base64.b64encode(b"x" * 16384).decode()}
    ec2.create_launch_template(LaunchTemplateName="long", LaunchTemplateData=data)
    ec2.delete_launch_template(LaunchTemplateName="long")


def test_groups_are_those_of_the_interfaces_or_of_the_instance(ec2: Any, refused: Refused, ground: Any) -> None:
    launch = {"ImageId": "ami-1", "InstanceType": "c7i.large", "MinCount": 1, "MaxCount": 1}
    interface = {"DeviceIndex": 0, "SubnetId": ground.subnets[0]}
    both = {**launch, "NetworkInterfaces": [interface], "SecurityGroupIds": [ground.group]}
    code, message = refused(ec2.run_instances, **both)
    assert (code, "instance-level security groups" in message) == ("InvalidParameterCombination", True)
    ec2.run_instances(**launch, NetworkInterfaces=[{**interface, "Groups": [ground.group]}])


def test_names_of_hosts_need_the_resolver_of_the_vpc(ec2: Any, refused: Refused) -> None:
    vpc = ec2.create_vpc(CidrBlock="10.4.0.0/16")["Vpc"]["VpcId"]
    ec2.modify_vpc_attribute(VpcId=vpc, EnableDnsSupport={"Value": False})
    names = {"EnableDnsHostnames": {"Value": True}}
    assert refused(ec2.modify_vpc_attribute, VpcId=vpc, **names)[0] == "InvalidParameterCombination"
    ec2.modify_vpc_attribute(VpcId=vpc, EnableDnsHostnames={"Value": False})
    ec2.modify_vpc_attribute(VpcId=vpc, EnableDnsSupport={"Value": True})
    ec2.modify_vpc_attribute(VpcId=vpc, **names)
    assert ec2.describe_vpc_attribute(VpcId=vpc, Attribute="enableDnsHostnames")["EnableDnsHostnames"]["Value"]
    nowhere = {"VpcId": "vpc-0123456789abcdef0"}
    assert refused(ec2.modify_vpc_attribute, **nowhere, **names)[0] == "InvalidVpcID.NotFound"
    assert refused(ec2.create_security_group, **nowhere, GroupName="g", Description="d")[0] == "InvalidVpcID.NotFound"


def test_blocks_of_a_vpc_do_not_overlap(ec2: Any, refused: Refused) -> None:
    vpc = ec2.create_vpc(CidrBlock="10.4.0.0/17")["Vpc"]["VpcId"]
    associate = ec2.associate_vpc_cidr_block
    for block in ("10.4.0.0/16", "10.4.64.0/18", "10.4.0.0/17"):
        assert refused(associate, VpcId=vpc, CidrBlock=block)[0] == "CidrConflict"
    associate(VpcId=vpc, CidrBlock="10.4.128.0/17")
    assert refused(associate, VpcId=vpc, CidrBlock="10.4.255.0/24")[0] == "CidrConflict"
    associate(VpcId=vpc, CidrBlock="100.64.0.0/16")


@pytest.mark.parametrize(
    ("first", "restricted", "taken"),
    [
        ("10.4.0.0/16", ("172.16.0.0/16", "172.31.0.0/16", "192.168.0.0/16", "198.19.0.0/16"), "10.5.0.0/16"),
        ("172.20.0.0/16", ("10.4.0.0/16", "192.168.0.0/16"), "172.16.0.0/16"),
        ("192.168.0.0/17", ("10.4.0.0/16", "172.16.0.0/16"), "192.168.128.0/17"),
        ("100.64.0.0/16", ("10.4.0.0/16", "198.19.0.0/16"), "172.32.0.0/16"),
        ("198.19.0.0/17", ("10.4.0.0/16",), "198.19.128.0/17"),
    ],
)
def test_blocks_of_a_vpc_are_of_one_private_range(
    ec2: Any, refused: Refused, first: str, restricted: tuple[str, ...], taken: str
) -> None:
    vpc = ec2.create_vpc(CidrBlock=first)["Vpc"]["VpcId"]
    for block in restricted:
        code, message = refused(ec2.associate_vpc_cidr_block, VpcId=vpc, CidrBlock=block)
        assert (code, f"The CIDR '{block}' is restricted" in message) == ("InvalidVpc.Range", True)
    ec2.associate_vpc_cidr_block(VpcId=vpc, CidrBlock=taken)


def test_a_rule_names_a_prefix_list_that_exists(ec2: Any, refused: Refused, ground: Any) -> None:
    made = ec2.create_managed_prefix_list(PrefixListName="own", MaxEntries=1, AddressFamily="IPv4")
    own, nowhere = made["PrefixList"]["PrefixListId"], "pl-0123456789abcdef0"

    def authorize(*lists: str) -> Any:
        rule = {"IpProtocol": "tcp", "FromPort": 443, "ToPort": 443}
        rules = [{**rule, "PrefixListIds": [{"PrefixListId": each} for each in lists]}]
        return ec2.authorize_security_group_ingress(GroupId=ground.group, IpPermissions=rules)

    answer = ("InvalidPrefixListID.NotFound", f"The prefix list ID '{nowhere}' does not exist")
    assert refused(lambda: authorize(own, nowhere)) == answer
    authorize(own, "pl-68a54001")


def test_a_route_has_another_destination_than_the_vpc(ec2: Any, refused: Refused) -> None:
    vpc = ec2.create_vpc(CidrBlock="10.4.0.0/16")["Vpc"]["VpcId"]
    gateway = ec2.create_internet_gateway()["InternetGateway"]["InternetGatewayId"]
    ec2.attach_internet_gateway(InternetGatewayId=gateway, VpcId=vpc)
    table = ec2.create_route_table(VpcId=vpc)["RouteTable"]["RouteTableId"]
    route = {"RouteTableId": table, "GatewayId": gateway}
    answer = ("RouteAlreadyExists", "The route identified by 10.4.0.0/16 already exists.")
    assert refused(ec2.create_route, **route, DestinationCidrBlock="10.4.0.0/16") == answer
    ec2.create_route(**route, DestinationCidrBlock="10.5.0.0/16")


@pytest.mark.parametrize("kind", ["efa", "efa-only"])
def test_an_efa_interface_needs_a_type_with_efa(ec2: Any, refused: Refused, ground: Any, kind: str) -> None:
    interface = {"DeviceIndex": 0, "SubnetId": ground.subnets[0], "InterfaceType": kind}
    launch = {"ImageId": "ami-1", "MinCount": 1, "MaxCount": 1, "NetworkInterfaces": [interface]}
    code, message = refused(ec2.run_instances, **launch, InstanceType="m7i.large")
    assert (code, "not supported on m7i.large" in message) == ("InvalidParameterCombination", True)
    ec2.run_instances(**launch, InstanceType="c5n.18xlarge")


@pytest.mark.parametrize(
    ("call", "members", "code"),
    [
        ("create_volume", {"AvailabilityZoneId": "usw2-az1"}, "InvalidParameterCombination"),
        ("create_route", {"DestinationIpv6CidrBlock": "::/0"}, "InvalidParameterCombination"),
        ("create_flow_logs", {"DeliverLogsPermissionArn": "arn:aws:iam::300000000000:role/r"}, "InvalidParameter"),
    ],
)
def test_what_excludes_each_other_is_refused(
    client: Callable[[str], Any], ec2: Any, refused: Refused, ground: Any, call: str, members: Any, code: str
) -> None:
    table = ec2.create_route_table(VpcId=ground.vpc)["RouteTable"]["RouteTableId"]
    gateway = ec2.create_internet_gateway()["InternetGateway"]["InternetGatewayId"]
    ec2.attach_internet_gateway(InternetGatewayId=gateway, VpcId=ground.vpc)
    place = {"LocationConstraint": "us-west-2"}
    client("s3").create_bucket(Bucket="flow-logs", CreateBucketConfiguration=place)
    given: dict[str, dict[str, Any]] = {
        "create_volume": {"AvailabilityZone": "us-west-2a", "Size": 8, "VolumeType": "gp3"},
        "create_route": {"RouteTableId": table, "GatewayId": gateway, "DestinationCidrBlock": "0.0.0.0/0"},
        "create_flow_logs": {
            "ResourceIds": [ground.vpc],
            "ResourceType": "VPC",
            "TrafficType": "ALL",
            "LogDestinationType": "s3",
            "LogDestination": "arn:aws:s3:::flow-logs",
        },
    }
    assert refused(getattr(ec2, call), **given[call], **members)[0] == code
    getattr(ec2, call)(**given[call])
    client("s3").delete_bucket(Bucket="flow-logs")


@pytest.mark.parametrize("ports", [{}, {"FromPort": 443}])
@pytest.mark.parametrize("protocol", ["tcp", "17"])
def test_a_rule_of_tcp_or_udp_needs_both_ports(
    ec2: Any, refused: Refused, ground: Any, protocol: str, ports: dict[str, int]
) -> None:
    rule = {"IpProtocol": protocol, "IpRanges": [{"CidrIp": "10.0.0.0/8"}], **ports}
    code, message = refused(ec2.authorize_security_group_ingress, GroupId=ground.group, IpPermissions=[rule])
    assert (code, "both from and to ports" in message) == ("InvalidParameterValue", True)
    assert ec2.describe_security_groups(GroupIds=[ground.group])["SecurityGroups"][0]["IpPermissions"] == []


def test_a_rule_of_a_protocol_without_ports_needs_none(ec2: Any, ground: Any) -> None:
    rule = {"IpProtocol": "50", "IpRanges": [{"CidrIp": "10.0.0.0/8"}]}
    ec2.authorize_security_group_ingress(GroupId=ground.group, IpPermissions=[rule])
    (kept,) = ec2.describe_security_groups(GroupIds=[ground.group])["SecurityGroups"][0]["IpPermissions"]
    assert (kept["IpProtocol"], kept["IpRanges"]) == ("50", rule["IpRanges"])


def test_a_protected_instance_is_not_terminated_before_the_protection_is_off(
    ec2: Any, refused: Refused, ground: Any
) -> None:
    wish = {"ImageId": "ami-1", "InstanceType": "c7i.large", "MinCount": 1, "MaxCount": 1}
    wish["SubnetId"] = ground.subnets[0]
    made = ec2.run_instances(**wish, DisableApiTermination=True)["Instances"][0]["InstanceId"]
    code, message = refused(ec2.terminate_instances, InstanceIds=[made])
    assert (code, "disableApiTermination" in message) == ("OperationNotPermitted", True)
    ec2.modify_instance_attribute(InstanceId=made, DisableApiTermination={"Value": False})
    ec2.terminate_instances(InstanceIds=[made])


def test_address_blocks_are_kept_in_their_canonical_form(ec2: Any, refused: Refused) -> None:
    vpc = ec2.create_vpc(CidrBlock="10.9.0.1/16")["Vpc"]
    assert vpc["CidrBlock"] == "10.9.0.0/16"
    subnet = ec2.create_subnet(VpcId=vpc["VpcId"], CidrBlock="10.9.1.7/24")["Subnet"]
    assert subnet["CidrBlock"] == "10.9.1.0/24"
    for block in ("10.9.2.0/29", "10.9.2.0/15"):
        assert refused(ec2.create_subnet, VpcId=vpc["VpcId"], CidrBlock=block)[0] == "InvalidSubnet.Range"
