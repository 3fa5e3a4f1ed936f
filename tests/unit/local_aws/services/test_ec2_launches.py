"""A launch: all of it or nothing, as many machines as there is place for, and what EC2 refuses of it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from local_aws.clients import moto_backend
from local_aws.quotas import set_quota
from local_aws.server import LocalAws

Refused = Callable[..., tuple[str, str]]
INF = "L-1945791B"
REGION = "us-west-2"
GONE = "terminated"
DISK = {"DeviceName": "/dev/sdb", "Ebs": {"VolumeSize": 10}}


@pytest.fixture
def ec2(client: Callable[[str], Any]) -> Iterator[Any]:
    ec2 = client("ec2")
    yield ec2
    if left := running(ec2):
        ec2.terminate_instances(InstanceIds=left)


def running(ec2: Any) -> list[str]:
    rows = [each for group in ec2.describe_instances()["Reservations"] for each in group["Instances"]]
    return [row["InstanceId"] for row in rows if row["State"]["Name"] != GONE]


def kept(ec2: Any) -> dict[str, set[str]]:
    """Ids of what a launch makes."""
    reservations = ec2.describe_instances()["Reservations"]
    return {
        "reservations": {each["ReservationId"] for each in reservations},
        "interfaces": {
            each["NetworkInterfaceId"]
            for each in ec2.describe_network_interfaces()["NetworkInterfaces"]
            if each["Status"] == "in-use"
        },
        "volumes": {each["VolumeId"] for each in ec2.describe_volumes()["Volumes"]},
    }


@pytest.fixture
def wish(ground: Any) -> dict[str, Any]:
    one = {"InstanceType": "m5.large", "MinCount": 1, "MaxCount": 1}
    return {"ImageId": "ami-12345678", "SubnetId": ground.subnets[0], **one}


def image(account: str, architecture: str, root: str) -> Any:
    """An image that AWS publishes; which ones there are, the seeds say."""
    known = moto_backend("ec2", account, REGION).describe_images(filters={"root-device-name": [root]})
    return next(each for each in known if each.architecture == architecture and getattr(each, "snapshot_gib", None))


REFUSED: list[tuple[dict[str, Any], str]] = [
    ({"PrivateIpAddress": "10.0.0.50"}, "InvalidIPAddress.InUse"),
    ({"PrivateIpAddress": "10.0.0.51", "MinCount": 2, "MaxCount": 2}, "InvalidParameterCombination"),
    ({"BlockDeviceMappings": [{**DISK, "Ebs": {"SnapshotId": "snap-0"}}]}, "InvalidSnapshot.NotFound"),
    ({"IamInstanceProfile": {"Name": "nobody"}}, "InvalidParameterValue"),
    ({"SecurityGroups": ["nowhere"]}, "InvalidGroup.NotFound"),
    ({"KeyName": "nokey"}, "InvalidKeyPair.NotFound"),
    ({"ImageId": "hello"}, "InvalidAMIID.Malformed"),
    ({"MetadataOptions": {"HttpPutResponseHopLimit": 65}}, "InvalidParameterValue"),
    ({"MetadataOptions": {"HttpPutResponseHopLimit": 0}}, "InvalidParameterValue"),
    ({"Placement": {"AvailabilityZone": "us-west-2c"}}, "InvalidParameterValue"),
    ({"BlockDeviceMappings": [DISK, DISK]}, "InvalidBlockDeviceMapping"),
    (
        {"BlockDeviceMappings": [{**DISK, "Ebs": {"VolumeSize": 10, "VolumeType": "gp3", "Throughput": 5000}}]},
        "InvalidParameterValue",
    ),
]


def test_a_launch_that_is_refused_leaves_nothing(ec2: Any, refused: Refused, wish: dict[str, Any]) -> None:
    ec2.run_instances(**wish, PrivateIpAddress="10.0.0.50")
    before = kept(ec2)
    for more, code in REFUSED:
        assert refused(ec2.run_instances, **{**wish, **more})[0] == code, more
        assert kept(ec2) == before, more


@pytest.mark.parametrize(
    ("address", "text"),
    [
        ("10.0.1.7", "does not fall within the subnet's address range"),
        ("10.0.0.3", "in subnet's reserved address range"),
        ("10.0.0.255", "in subnet's reserved address range"),
        ("nowhere", "Invalid value 'nowhere' for an IPv4 address"),
    ],
)
def test_an_address_is_one_that_the_subnet_gives(
    ec2: Any, refused: Refused, wish: dict[str, Any], address: str, text: str
) -> None:
    before = kept(ec2)
    of_interface = {
        "SubnetId": wish["SubnetId"],
        "PrivateIpAddresses": [{"PrivateIpAddress": address, "Primary": True}],
    }
    asked = ((ec2.run_instances, {**wish, "PrivateIpAddress": address}), (ec2.create_network_interface, of_interface))
    for ask, parameters in asked:
        code, message = refused(ask, **parameters)
        assert (code, text in message) == ("InvalidParameterValue", True)
    assert kept(ec2) == before


def test_a_launch_that_fails_at_a_later_interface_leaves_no_change(ec2: Any, refused: Refused, ground: Any) -> None:
    """The address of the second interface is taken only when the first one has been attached."""
    given = ec2.create_network_interface(SubnetId=ground.subnets[0])["NetworkInterface"]["NetworkInterfaceId"]
    interfaces = [
        {"DeviceIndex": 0, "NetworkInterfaceId": given},
        {"DeviceIndex": 1, "SubnetId": ground.subnets[0], "PrivateIpAddress": "10.0.0.60"},
        {"DeviceIndex": 2, "SubnetId": ground.subnets[0], "PrivateIpAddress": "10.0.0.60"},
    ]
    before = kept(ec2)
    ask = {"ImageId": "ami-1", "InstanceType": "m5.4xlarge", "MinCount": 1, "MaxCount": 1}
    assert refused(ec2.run_instances, **ask, NetworkInterfaces=interfaces)[0] == "InvalidIPAddress.InUse"
    assert kept(ec2) == before
    (row,) = ec2.describe_network_interfaces(NetworkInterfaceIds=[given])["NetworkInterfaces"]
    assert (row["Status"], "Attachment" in row) == ("available", False)
    assert len(ec2.run_instances(**ask, NetworkInterfaces=interfaces[:2])["Instances"]) == 1


@pytest.mark.parametrize("member", [{"PrivateIpAddress": "10.0.0.70"}, {"NetworkInterfaceId": "eni-1"}])
def test_two_machines_do_not_share_an_address_or_an_interface(
    ec2: Any, refused: Refused, ground: Any, member: dict[str, str]
) -> None:
    interfaces = [{"DeviceIndex": 0, "SubnetId": ground.subnets[0], **member}]
    ask = {"ImageId": "ami-1", "InstanceType": "m5.large", "NetworkInterfaces": interfaces}
    assert refused(ec2.run_instances, **ask, MinCount=2, MaxCount=2)[0] == "InvalidParameterCombination"
    assert running(ec2) == []


def test_without_a_subnet_a_machine_starts_in_a_default_one_that_offers_its_type(ec2: Any, client: Any) -> None:
    defaults = ec2.describe_subnets(Filters=[{"Name": "default-for-az", "Values": ["true"]}])["Subnets"]
    by_id = {subnet["SubnetId"]: subnet for subnet in defaults}
    for asked in ({}, {"NetworkInterfaces": [{"DeviceIndex": 0, "AssociatePublicIpAddress": True}]}):
        ask = {"ImageId": "ami-1", "InstanceType": "trn1.2xlarge", "MinCount": 1, "MaxCount": 1}
        made = ec2.run_instances(**ask, **asked)["Instances"][0]
        offered = ec2.describe_instance_type_offerings(
            LocationType="availability-zone-id", Filters=[{"Name": "instance-type", "Values": ["trn1.2xlarge"]}]
        )["InstanceTypeOfferings"]
        subnet = by_id[made["SubnetId"]]
        assert made["Placement"]["AvailabilityZone"] == subnet["AvailabilityZone"]
        assert subnet["AvailabilityZoneId"] in {each["Location"] for each in offered}
        assert made["PrivateIpAddress"].startswith(subnet["CidrBlock"].rpartition(".")[0].rpartition(".")[0])


def test_a_launch_gets_as_many_machines_as_there_is_place_for(
    ec2: Any, refused: Refused, wish: dict[str, Any], local_aws: LocalAws, account: str
) -> None:
    ask = {**wish, "InstanceType": "inf2.xlarge"}
    assert len(ec2.run_instances(**{**ask, "MaxCount": 3})["Instances"]) == 3
    set_quota(local_aws.store, account, REGION, INF, 23)  # vCPUs, of which each takes four
    assert len(ec2.run_instances(**{**ask, "MaxCount": 9})["Instances"]) == 2
    assert refused(ec2.run_instances, **{**ask, "MaxCount": 9})[0] == "VcpuLimitExceeded"


def test_one_token_launches_once(
    ec2: Any, refused: Refused, wish: dict[str, Any], local_aws: LocalAws, account: str
) -> None:
    ask = {**wish, "InstanceType": "inf2.xlarge", "PrivateIpAddress": "10.0.0.80", "ClientToken": "once"}
    first = ec2.run_instances(**ask)
    set_quota(local_aws.store, account, REGION, INF, 4)  # nothing else has room
    again = ec2.run_instances(**ask)
    assert [again["ReservationId"], *(each["InstanceId"] for each in again["Instances"])] == [
        first["ReservationId"],
        first["Instances"][0]["InstanceId"],
    ]
    assert len(running(ec2)) == 1
    differing = refused(ec2.run_instances, **{**ask, "EbsOptimized": True})
    assert differing[0] == "IdempotentParameterMismatch"
    assert refused(ec2.run_instances, **{**ask, "ClientToken": "twice"})[0] == "VcpuLimitExceeded"


def test_every_machine_of_a_launch_has_its_profile(ec2: Any, client: Any, wish: dict[str, Any]) -> None:
    client("iam").create_instance_profile(InstanceProfileName="all-of-them")
    ask = {**wish, "MinCount": 2, "MaxCount": 2, "IamInstanceProfile": {"Name": "all-of-them"}}
    made = [each["InstanceId"] for each in ec2.run_instances(**ask)["Instances"]]
    rows = ec2.describe_instances(InstanceIds=made)["Reservations"][0]["Instances"]
    assert [row["IamInstanceProfile"]["Arn"].rpartition("/")[2] for row in rows] == ["all-of-them"] * 2


def test_a_launch_gets_no_more_machines_than_there_are_addresses(
    ec2: Any, refused: Refused, ground: Any, wish: dict[str, Any]
) -> None:
    small = ec2.create_subnet(VpcId=ground.vpc, CidrBlock="10.0.9.0/28")["Subnet"]["SubnetId"]
    ask = {**wish, "SubnetId": small, "InstanceType": "t3.nano", "MaxCount": 20}
    before = kept(ec2)
    assert refused(ec2.run_instances, **{**ask, "MinCount": 12})[0] == "InsufficientFreeAddressesInSubnet"
    assert kept(ec2) == before
    made = ec2.run_instances(**ask)["Instances"]
    assert len({each["PrivateIpAddress"] for each in made}) == 16 - 5


@pytest.mark.parametrize(
    ("made_for", "root", "type_name"), [("arm64", "/dev/xvda", "m5.large"), ("x86_64", "/dev/xvda", "m6g.large")]
)
def test_an_image_of_another_architecture_is_refused(
    ec2: Any, refused: Refused, account: str, wish: dict[str, Any], made_for: str, root: str, type_name: str
) -> None:
    found = image(account, made_for, root)
    code, message = refused(ec2.run_instances, **{**wish, "ImageId": found.id, "InstanceType": type_name})
    assert (code, f"architecture '{made_for}' of the specified AMI" in message) == ("InvalidParameterValue", True)


def test_a_root_volume_holds_the_snapshot_of_its_image(
    ec2: Any, refused: Refused, account: str, wish: dict[str, Any]
) -> None:
    found = image(account, "x86_64", "/dev/xvda")
    root = {"DeviceName": "/dev/xvda", "Ebs": {"VolumeSize": found.root_volume_gib - 1}}
    code, message = refused(ec2.run_instances, **{**wish, "ImageId": found.id}, BlockDeviceMappings=[root])
    assert (code, f"expect size>= {found.root_volume_gib}GB" in message) == ("InvalidBlockDeviceMapping", True)
    dlami = "resolve:ssm:/aws/service/neuron/dlami/multi-framework/ubuntu-24.04/latest/image_id"
    small = {"DeviceName": "/dev/sda1", "Ebs": {"VolumeSize": 100}}
    of_dlami = ec2.run_instances(**{**wish, "ImageId": dlami}, BlockDeviceMappings=[small])
    assert volumes(ec2, of_dlami) == {"/dev/sda1": (100, "gp3")}, "no source says how large this image is"


def volumes(ec2: Any, launched: dict[str, Any]) -> dict[str, tuple[int, str]]:
    """Size and type of a machine's volumes, by device."""
    instance = ec2.describe_instances(InstanceIds=[launched["Instances"][0]["InstanceId"]])["Reservations"][0][
        "Instances"
    ][0]
    at = {each["Ebs"]["VolumeId"]: each["DeviceName"] for each in instance["BlockDeviceMappings"]}
    rows = ec2.describe_volumes(VolumeIds=list(at))["Volumes"]
    return {at[row["VolumeId"]]: (row["Size"], row["VolumeType"]) for row in rows}


def test_volumes_of_the_image_are_there_beside_those_of_the_request(
    ec2: Any, account: str, wish: dict[str, Any]
) -> None:
    found = image(account, "x86_64", "/dev/xvda")
    root, ask = (found.root_volume_gib, "gp3"), {**wish, "ImageId": found.id}
    assert volumes(ec2, ec2.run_instances(**ask)) == {"/dev/xvda": root}
    assert volumes(ec2, ec2.run_instances(**ask, BlockDeviceMappings=[DISK]))["/dev/xvda"] == root
    larger = {"DeviceName": "/dev/xvda", "Ebs": {"VolumeSize": 600}}
    assert volumes(ec2, ec2.run_instances(**ask, BlockDeviceMappings=[larger])) == {"/dev/xvda": (600, "gp3")}
    unknown = volumes(ec2, ec2.run_instances(**wish, BlockDeviceMappings=[DISK]))
    assert unknown.keys() == {"/dev/sda1", "/dev/sdb"}
    assert volumes(ec2, ec2.run_instances(**wish, BlockDeviceMappings=[larger])).keys() == {"/dev/xvda"}


def test_groups_and_subnets_of_a_launch_belong_together(ec2: Any, refused: Refused, ground: Any, wish: Any) -> None:
    other = ec2.create_vpc(CidrBlock="10.7.0.0/16")["Vpc"]["VpcId"]
    away = ec2.create_security_group(GroupName="away", Description="away", VpcId=other)["GroupId"]
    assert refused(ec2.run_instances, **wish, SecurityGroupIds=[away])[0] == "InvalidParameter"
    assert (
        refused(ec2.create_network_interface, SubnetId=ground.subnets[0], Groups=[away])[0] == "InvalidGroup.NotFound"
    )
    near = ec2.create_network_interface(SubnetId=ground.subnets[0])["NetworkInterface"]["NetworkInterfaceId"]
    for group in (away, "sg-00000000000000000"):
        change = {"NetworkInterfaceId": near, "Groups": [group]}
        assert refused(ec2.modify_network_interface_attribute, **change)[0] == "InvalidGroup.NotFound"
    machine = ec2.run_instances(**wish)["Instances"][0]["InstanceId"]
    change = {"InstanceId": machine, "Groups": [away]}
    assert refused(ec2.modify_instance_attribute, **change)[0] == "InvalidGroup.NotFound"
    ask = {name: value for name, value in wish.items() if name != "SubnetId"}
    apart = [{"DeviceIndex": index, "SubnetId": subnet} for index, subnet in enumerate(ground.subnets)]
    code, message = refused(ec2.run_instances, **ask, NetworkInterfaces=apart)
    assert (code, "one Availability Zone" in message) == ("InvalidParameterValue", True)
    grouped = [{"DeviceIndex": 0, "SubnetId": ground.subnets[0], "Groups": [away]}]
    assert refused(ec2.run_instances, **ask, NetworkInterfaces=grouped)[0] == "InvalidParameter"
