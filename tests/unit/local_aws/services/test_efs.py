"""EFS: what changes on a file system, and what EFS rejects."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

Refused = Callable[..., tuple[str, str]]


@pytest.fixture
def system(client: Callable[[str], Any]) -> str:
    return str(client("efs").create_file_system(ThroughputMode="elastic")["FileSystemId"])


def test_throughput_of_its_own_goes_with_the_mode_provisioned(client: Callable[[str], Any], system: str) -> None:
    efs = client("efs")
    given = {"FileSystemId": system, "ThroughputMode": "provisioned", "ProvisionedThroughputInMibps": 64.0}
    assert efs.update_file_system(**given)["ProvisionedThroughputInMibps"] == 64.0
    changed = efs.update_file_system(FileSystemId=system, ThroughputMode="elastic")
    assert (changed["ThroughputMode"], "ProvisionedThroughputInMibps" in changed) == ("elastic", False)


def test_provisioned_needs_a_throughput(client: Callable[[str], Any], system: str, refused: Refused) -> None:
    efs = client("efs")
    for call, given in (
        (efs.create_file_system, {}),
        (efs.update_file_system, {"FileSystemId": system}),
    ):
        answer, message = refused(call, ThroughputMode="provisioned", **given)
        assert (answer, "ProvisionedThroughputInMibps" in message) == ("BadRequest", True)


def test_the_backup_policy_is_that_of_the_creation_until_one_is_set(
    client: Callable[[str], Any], system: str, refused: Refused
) -> None:
    efs = client("efs")
    assert refused(efs.describe_backup_policy, FileSystemId=system)[0] == "PolicyNotFound"
    backed = efs.create_file_system(Backup=True)["FileSystemId"]
    assert efs.describe_backup_policy(FileSystemId=backed)["BackupPolicy"] == {"Status": "ENABLED"}
    efs.put_backup_policy(FileSystemId=backed, BackupPolicy={"Status": "DISABLED"})
    assert efs.describe_backup_policy(FileSystemId=backed)["BackupPolicy"] == {"Status": "DISABLED"}


def test_a_policy_is_deleted(client: Callable[[str], Any], system: str, refused: Refused) -> None:
    efs = client("efs")
    efs.put_file_system_policy(FileSystemId=system, Policy="{}")
    assert efs.describe_file_system_policy(FileSystemId=system)["Policy"] == "{}"
    efs.delete_file_system_policy(FileSystemId=system)
    assert refused(efs.describe_file_system_policy, FileSystemId=system)[0] == "PolicyNotFound"


def test_what_names_no_file_system_is_rejected(client: Callable[[str], Any], refused: Refused) -> None:
    efs, absent = client("efs"), "fs-11111111"
    assert refused(efs.update_file_system, FileSystemId=absent, ThroughputMode="elastic")[0] == "FileSystemNotFound"
    assert refused(efs.describe_backup_policy, FileSystemId=absent)[0] == "FileSystemNotFound"
    assert refused(efs.delete_file_system_policy, FileSystemId=absent)[0] == "FileSystemNotFound"
    answer, message = refused(efs.create_access_point, FileSystemId=absent)
    assert (answer, absent in message) == ("FileSystemNotFound", True)


def test_a_zone_has_one_mount_target_and_a_file_system_with_one_stays(
    client: Callable[[str], Any], system: str, refused: Refused
) -> None:
    efs, ec2 = client("efs"), client("ec2")
    vpc = ec2.create_vpc(CidrBlock="10.8.0.0/16")["Vpc"]["VpcId"]
    first, second = (
        ec2.create_subnet(VpcId=vpc, CidrBlock=f"10.8.{number}.0/24", AvailabilityZone="us-west-2a")["Subnet"][
            "SubnetId"
        ]
        for number in (1, 2)
    )
    target = efs.create_mount_target(FileSystemId=system, SubnetId=first)["MountTargetId"]
    answer, message = refused(efs.create_mount_target, FileSystemId=system, SubnetId=second)
    assert (answer, "already exists" in message) == ("MountTargetConflict", True)
    assert refused(efs.delete_file_system, FileSystemId=system)[0] == "FileSystemInUse"
    assert refused(ec2.delete_subnet, SubnetId=first)[0] == "DependencyViolation"
    efs.delete_mount_target(MountTargetId=target)
    efs.delete_file_system(FileSystemId=system)
    assert refused(efs.describe_file_systems, FileSystemId=system)[0] == "FileSystemNotFound"


def test_a_mount_target_that_has_no_interface_does_not_exist(
    client: Callable[[str], Any], system: str, refused: Refused
) -> None:
    efs, ec2 = client("efs"), client("ec2")
    vpc, other = (ec2.create_vpc(CidrBlock=f"10.{number}.0.0/16")["Vpc"]["VpcId"] for number in (6, 7))
    subnet = ec2.create_subnet(VpcId=vpc, CidrBlock="10.6.1.0/24")["Subnet"]["SubnetId"]
    group = ec2.create_security_group(VpcId=other, GroupName="other", Description="other")["GroupId"]
    target = {"FileSystemId": system, "SubnetId": subnet}
    assert refused(efs.create_mount_target, FileSystemId="fs-11111111", SubnetId=subnet)[0] == "FileSystemNotFound"
    assert refused(efs.create_mount_target, FileSystemId=system, SubnetId="subnet-11111111")[0] == "SubnetNotFound"
    assert refused(efs.create_mount_target, SecurityGroups=["sg-11111111"], **target)[0] == "SecurityGroupNotFound"
    assert refused(efs.create_mount_target, SecurityGroups=[group], **target)[0] == "InvalidGroup.NotFound"
    made = efs.create_mount_target(**target)
    (interface,) = ec2.describe_network_interfaces(Filters=[{"Name": "subnet-id", "Values": [subnet]}])[
        "NetworkInterfaces"
    ]
    assert interface["PrivateIpAddress"] == made["IpAddress"]
