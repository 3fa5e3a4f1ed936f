"""Volumes stand in the zone that was asked for, by name or by id."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from botocore.exceptions import ClientError

Clients = Callable[[str], Any]
Refused = Callable[..., tuple[str, str]]


def test_a_zone_id_and_a_zone_name_mean_the_same_place(client: Clients) -> None:
    ec2 = client("ec2")
    zone = ec2.describe_availability_zones()["AvailabilityZones"][0]
    for asked in ({"AvailabilityZoneId": zone["ZoneId"]}, {"AvailabilityZone": zone["ZoneName"]}):
        made = ec2.create_volume(Size=8, VolumeType="gp3", **asked)["VolumeId"]
        (volume,) = ec2.describe_volumes(VolumeIds=[made])["Volumes"]
        assert (volume["AvailabilityZone"], volume["AvailabilityZoneId"]) == (zone["ZoneName"], zone["ZoneId"])


def test_a_zone_of_another_region_is_refused(client: Clients) -> None:
    with pytest.raises(ClientError, match=r"InvalidZone\.NotFound"):
        client("ec2").create_volume(Size=8, AvailabilityZoneId="use1-az1")


@pytest.fixture
def volume(client: Clients) -> Callable[..., str]:
    """Makes a volume in the first zone; its id."""

    def make(**more: Any) -> str:
        ec2 = client("ec2")
        zone = ec2.describe_availability_zones()["AvailabilityZones"][0]["ZoneName"]
        return str(
            ec2.create_volume(**{"Size": 200, "VolumeType": "gp3", "AvailabilityZone": zone, **more})["VolumeId"]
        )

    return make


@pytest.mark.parametrize(
    ("wish", "code", "text"),
    [
        ({"AvailabilityZone": "us-west-2z"}, "InvalidZone.NotFound", "The zone 'us-west-2z' does not exist."),
        ({"Size": 0}, "InvalidParameterValue", "too small; minimum is 1GiB"),
        ({"Size": 65537}, "InvalidParameterValue", "maximum is 65536GiB"),
        ({"Iops": 99999}, "InvalidParameterValue", "Volume iops of 99999 is too high; maximum is 80000."),
        ({"Iops": 99}, "InvalidParameterValue", "Volume iops of 99 is too low; minimum is 100."),
        ({"Size": 8, "Iops": 5000}, "InvalidParameterValue", "size ratio of 625.000000 is too high; maximum is 500"),
        ({"Throughput": 1000}, "InvalidParameterValue", "maximum is 0.25 MiBps per iops"),
        ({"Throughput": 124}, "InvalidParameterValue", "Throughput of 124 MiBps is too low; minimum is 125 MiBps."),
        ({"Iops": 80_000, "Throughput": 5000}, "InvalidParameterValue", "is too high; maximum is 2000 MiBps."),
        ({"Iops": 3000, "Throughput": 1000}, "InvalidParameterValue", "maximum is 0.25 MiBps per iops"),
    ],
)
def test_a_volume_beyond_its_bounds_is_refused(
    volume: Callable[..., str], refused: Refused, wish: Any, code: str, text: str
) -> None:
    answer = refused(volume, **wish)
    assert (answer[0], text in answer[1]) == (code, True), answer


def test_a_volume_grows_and_never_shrinks(client: Clients, volume: Callable[..., str], refused: Refused) -> None:
    ec2, home = client("ec2"), volume(Size=8, Iops=3000)
    ec2.modify_volume(VolumeId=home, Size=300)
    assert ec2.describe_volumes(VolumeIds=[home])["Volumes"][0]["Size"] == 300
    shrunk = refused(ec2.modify_volume, VolumeId=home, Size=200)
    assert shrunk == ("InvalidParameterValue", "New size cannot be smaller than existing size")
    assert refused(ec2.modify_volume, VolumeId=home, Iops=99999)[0] == "InvalidParameterValue"


def test_a_volume_is_attached_once_where_its_instance_runs(
    client: Clients, ground: Any, volume: Callable[..., str], refused: Refused
) -> None:
    ec2 = client("ec2")
    subnet = ec2.describe_subnets(SubnetIds=ground.subnets[:1])["Subnets"][0]
    zones = {zone["ZoneName"] for zone in ec2.describe_availability_zones()["AvailabilityZones"]}
    wish = {"ImageId": "ami-1", "InstanceType": "m7i.large", "SubnetId": subnet["SubnetId"], "MinCount": 2}
    first, second = (each["InstanceId"] for each in ec2.run_instances(**wish, MaxCount=2)["Instances"])
    away = volume(AvailabilityZone=min(zones - {subnet["AvailabilityZone"]}))
    home = volume(AvailabilityZone=subnet["AvailabilityZone"])
    attach = ec2.attach_volume
    assert refused(attach, VolumeId=away, InstanceId=first, Device="/dev/sdf")[0] == "InvalidVolume.ZoneMismatch"
    attach(VolumeId=home, InstanceId=first, Device="/dev/sdf")
    assert refused(attach, VolumeId=home, InstanceId=second, Device="/dev/sdf")[0] == "VolumeInUse"
    ec2.terminate_instances(InstanceIds=[first])
    assert refused(attach, VolumeId=home, InstanceId=first, Device="/dev/sdg")[0] == "IncorrectState"
    attach(VolumeId=home, InstanceId=second, Device="/dev/sdf")
    ec2.terminate_instances(InstanceIds=[second])


@pytest.fixture
def machine(client: Clients, ground: Any) -> Iterator[dict[str, Any]]:
    """A running instance; it ends with the test."""
    ec2 = client("ec2")
    wish = {"ImageId": "ami-1", "InstanceType": "m7i.large", "SubnetId": ground.subnets[0]}
    made = ec2.run_instances(**wish, MinCount=1, MaxCount=1)["Instances"][0]["InstanceId"]
    yield ec2.describe_instances(InstanceIds=[made])["Reservations"][0]["Instances"][0]
    ec2.terminate_instances(InstanceIds=[made])


def test_a_device_takes_one_volume(
    client: Clients, machine: dict[str, Any], volume: Callable[..., str], refused: Refused
) -> None:
    ec2, zone = client("ec2"), machine["Placement"]["AvailabilityZone"]
    first, second = volume(AvailabilityZone=zone), volume(AvailabilityZone=zone)
    at = {"InstanceId": machine["InstanceId"], "Device": "/dev/sdf"}
    ec2.attach_volume(VolumeId=first, **at)
    code, message = refused(ec2.attach_volume, VolumeId=second, **at)
    assert (code, "Attachment point /dev/sdf is already in use" in message) == ("InvalidParameterValue", True)
    assert ec2.describe_volumes(VolumeIds=[second])["Volumes"][0]["State"] == "available"
    ec2.detach_volume(VolumeId=first)
    ec2.attach_volume(VolumeId=second, **at)


def test_a_volume_is_detached_by_its_id_alone_unless_a_machine_stands_on_it(
    client: Clients, machine: dict[str, Any], volume: Callable[..., str], refused: Refused
) -> None:
    ec2, instance = client("ec2"), machine["InstanceId"]
    home = volume(AvailabilityZone=machine["Placement"]["AvailabilityZone"])
    assert refused(ec2.detach_volume, VolumeId=home) == (
        "IncorrectState",
        f"Volume '{home}' is in the 'available' state.",
    )
    ec2.attach_volume(VolumeId=home, InstanceId=instance, Device="/dev/sdf")
    assert ec2.detach_volume(VolumeId=home)["InstanceId"] == instance
    assert ec2.describe_volumes(VolumeIds=[home])["Volumes"][0]["State"] == "available"
    root = machine["BlockDeviceMappings"][0]["Ebs"]["VolumeId"]
    assert refused(ec2.detach_volume, VolumeId=root)[0] == "OperationNotPermitted"
    ec2.stop_instances(InstanceIds=[instance])
    assert ec2.detach_volume(VolumeId=root)["VolumeId"] == root
