"""An FSx for Lustre file system that exists: where it is, what it has, and who reaches it."""

from __future__ import annotations

from typing import Any

from msgspec import Struct

from neuron_cluster.aws.errors import translated
from neuron_cluster.aws.session import Target, client

FIRST_PORT, LAST_PORT = 988, 1023
"""Of Lustre: 988 and 1018 to 1023. Source: FSx for Lustre guide, file system access control with Amazon VPC."""


class ExistingFileSystem(Struct, frozen=True):
    """As FSx returns it; ``subnet_ids`` has one subnet for Lustre."""

    status: str
    kind: str
    """``LUSTRE``, ``WINDOWS``, …"""
    vpc_id: str
    subnet_ids: tuple[str, ...]
    dns_name: str
    mount_name: str
    deployment_type: str
    capacity_gib: int | None
    throughput_mbps_per_tib: int | None


class Ingress(Struct, frozen=True):
    """Who reaches the first port of Lustre through a security group."""

    cidrs: tuple[str, ...]
    group_ids: tuple[str, ...]


def existing_file_system(target: Target, file_system_id: str) -> ExistingFileSystem | None:
    """None when there is none. Raises ``ToolkitError`` for any other API error."""
    fsx = client(target, "fsx")
    with translated():
        try:
            row = fsx.describe_file_systems(FileSystemIds=[file_system_id])["FileSystems"][0]
        except fsx.exceptions.FileSystemNotFound:
            return None
    lustre = row.get("LustreConfiguration", {})
    return ExistingFileSystem(
        status=row.get("Lifecycle", ""),
        kind=row.get("FileSystemType", ""),
        vpc_id=row.get("VpcId", ""),
        subnet_ids=tuple(row.get("SubnetIds", ())),
        dns_name=row.get("DNSName", ""),
        mount_name=lustre.get("MountName", ""),
        deployment_type=lustre.get("DeploymentType", ""),
        capacity_gib=row.get("StorageCapacity"),
        throughput_mbps_per_tib=lustre.get("PerUnitStorageThroughput"),
    )


def lustre_ingress(target: Target, group_id: str) -> Ingress | None:
    """None when there is no such security group."""
    with translated():
        rows = client(target, "ec2").describe_security_groups(Filters=[{"Name": "group-id", "Values": [group_id]}])
    groups = rows["SecurityGroups"]
    if not groups:
        return None
    rules = [rule for rule in groups[0].get("IpPermissions", ()) if _is_of_lustre(rule)]
    return Ingress(
        cidrs=tuple(each["CidrIp"] for rule in rules for each in rule.get("IpRanges", ())),
        group_ids=tuple(each["GroupId"] for rule in rules for each in rule.get("UserIdGroupPairs", ())),
    )


def _is_of_lustre(rule: dict[str, Any]) -> bool:
    if rule.get("IpProtocol") == "-1":
        return True
    return rule.get("IpProtocol") == "tcp" and rule.get("FromPort", 0) <= FIRST_PORT <= rule.get("ToPort", 0)
