"""An FSx for Lustre file system that exists: where it is, and what it has."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from neuron_cluster.aws.errors import translated
from neuron_cluster.aws.session import Target, client


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
    storage_type: str
    """``SSD``, ``HDD`` or ``INTELLIGENT_TIERING``."""
    throughput_mbps: int | None
    """Throughput in MB/s of Intelligent-Tiering."""
    metadata_iops: int | None
    group_ids: frozenset[str]
    """Security groups of its network interfaces."""


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
        storage_type=row.get("StorageType", ""),
        throughput_mbps=lustre.get("ThroughputCapacity"),
        metadata_iops=lustre.get("MetadataConfiguration", {}).get("Iops"),
        group_ids=_groups_of(target, row.get("NetworkInterfaceIds", ())),
    )


def _groups_of(target: Target, interface_ids: Sequence[str]) -> frozenset[str]:
    if not interface_ids:
        return frozenset()
    named = [{"Name": "network-interface-id", "Values": list(interface_ids)}]
    with translated():
        rows = client(target, "ec2").describe_network_interfaces(Filters=named)["NetworkInterfaces"]
    return frozenset(group["GroupId"] for row in rows for group in row["Groups"])
