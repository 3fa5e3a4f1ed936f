"""An interface has one instance, of its zone, at a free place; and it stays when it is to outlive the instance."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

Refused = Callable[..., tuple[str, str]]


@pytest.fixture
def ec2(client: Callable[[str], Any]) -> Any:
    return client("ec2")


@pytest.fixture
def launch(ec2: Any) -> Callable[..., str]:
    """Starts a machine with these interfaces; its id."""

    def run(*interfaces: dict[str, Any]) -> str:
        one = {"ImageId": "ami-1", "InstanceType": "m5.large", "MinCount": 1, "MaxCount": 1}
        return str(ec2.run_instances(**one, NetworkInterfaces=list(interfaces))["Instances"][0]["InstanceId"])

    return run


@pytest.fixture
def interface(ec2: Any, ground: Any) -> Callable[..., str]:
    """Makes an interface in one of the ground's subnets; its id."""
    return lambda subnet=0: str(
        ec2.create_network_interface(SubnetId=ground.subnets[subnet])["NetworkInterface"]["NetworkInterfaceId"]
    )


def reported(ec2: Any, interface_id: str) -> dict[str, Any]:
    return dict(ec2.describe_network_interfaces(NetworkInterfaceIds=[interface_id])["NetworkInterfaces"][0])


def test_an_interface_that_is_to_stay_is_free_when_its_instance_has_ended(
    ec2: Any, ground: Any, launch: Any, interface: Any
) -> None:
    given, subnet = interface(), {"SubnetId": ground.subnets[0]}
    machine = launch(
        {"DeviceIndex": 0, "NetworkInterfaceId": given}, {"DeviceIndex": 1, "DeleteOnTermination": False, **subnet}
    )
    (row,) = ec2.describe_instances(InstanceIds=[machine])["Reservations"][0]["Instances"]
    kept = {each["NetworkInterfaceId"] for each in row["NetworkInterfaces"]}
    assert given in kept
    ec2.terminate_instances(InstanceIds=[machine])
    assert {reported(ec2, each)["Status"] for each in kept} == {"available"}
    (again,) = ec2.terminate_instances(InstanceIds=[machine])["TerminatingInstances"]
    assert again["PreviousState"]["Name"] == "terminated"
    second = launch({"DeviceIndex": 0, "NetworkInterfaceId": given})
    assert reported(ec2, given)["Attachment"]["InstanceId"] == second
    ec2.terminate_instances(InstanceIds=[second])
    for each in kept:
        ec2.delete_network_interface(NetworkInterfaceId=each)


def test_an_interface_is_that_of_one_instance_and_gives_it_its_zone(
    ec2: Any, refused: Refused, ground: Any, launch: Any, interface: Any
) -> None:
    given = interface(1)
    machine = launch({"DeviceIndex": 0, "NetworkInterfaceId": given})
    (row,) = ec2.describe_instances(InstanceIds=[machine])["Reservations"][0]["Instances"]
    assert row["SubnetId"] == ground.subnets[1]
    assert row["Placement"]["AvailabilityZone"] == reported(ec2, given)["AvailabilityZone"]
    one = {"ImageId": "ami-1", "InstanceType": "m5.large", "MinCount": 1, "MaxCount": 1}
    same = [{"DeviceIndex": 0, "NetworkInterfaceId": given}]
    code, message = refused(ec2.run_instances, **one, NetworkInterfaces=same)
    assert (code, given in message) == ("InvalidNetworkInterface.InUse", True)
    other = launch({"DeviceIndex": 0, "SubnetId": ground.subnets[1]})
    attach = {"NetworkInterfaceId": given, "InstanceId": other, "DeviceIndex": 1}
    assert refused(ec2.attach_network_interface, **attach)[0] == "InvalidNetworkInterface.InUse"
    ec2.terminate_instances(InstanceIds=[machine, other])


def test_an_interface_is_attached_in_its_zone_at_a_free_place(
    ec2: Any, refused: Refused, ground: Any, launch: Any, interface: Any
) -> None:
    machine = launch({"DeviceIndex": 0, "SubnetId": ground.subnets[0]})
    near, away = interface(0), interface(1)
    attach, at = ec2.attach_network_interface, {"InstanceId": machine, "DeviceIndex": 1}
    assert refused(attach, NetworkInterfaceId=away, **at)[0] == "InvalidParameterCombination"
    code, message = refused(attach, NetworkInterfaceId=near, InstanceId=machine, DeviceIndex=0)
    assert (code, "at device index '0'" in message) == ("InvalidParameterValue", True)
    attach(NetworkInterfaceId=near, **at)
    second = interface(0)
    attach(NetworkInterfaceId=second, NetworkCardIndex=1, **at)
    places = [
        (reported(ec2, each)["Attachment"]["NetworkCardIndex"], reported(ec2, each)["Attachment"]["DeviceIndex"])
        for each in (near, second)
    ]
    assert places == [(0, 1), (1, 1)]
    ec2.terminate_instances(InstanceIds=[machine])
