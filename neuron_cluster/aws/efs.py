"""EFS file systems and their mount targets."""

from __future__ import annotations

from msgspec import Struct

from neuron_cluster.aws.errors import translated
from neuron_cluster.aws.session import Target, client


class AccessPoint(Struct, frozen=True):
    id: str
    folder: str
    """Folder of the file system that clients see as the root."""


class EfsFileSystem(Struct, frozen=True):
    id: str
    status: str
    throughput_mode: str
    size_bytes: int
    """Metered about every hour."""
    access_points: tuple[AccessPoint, ...] = ()


def efs_file_system(target: Target, file_system_id: str) -> EfsFileSystem | None:
    """The file system; none when there is none."""
    efs = client(target, "efs")
    with translated():
        try:
            row = efs.describe_file_systems(FileSystemId=file_system_id)["FileSystems"][0]
        except efs.exceptions.FileSystemNotFound:
            return None
        pages = efs.get_paginator("describe_access_points").paginate(FileSystemId=file_system_id)
        points = [point for page in pages for point in page["AccessPoints"]]
    return EfsFileSystem(
        id=row["FileSystemId"],
        status=row["LifeCycleState"],
        throughput_mode=row.get("ThroughputMode", ""),
        size_bytes=row["SizeInBytes"]["Value"],
        access_points=tuple(
            AccessPoint(each["AccessPointId"], each.get("RootDirectory", {}).get("Path", "/")) for each in points
        ),
    )


def mount_targets(target: Target, file_system_id: str) -> list[str]:
    """Ids of the mount targets; those on their way out are among them."""
    efs = client(target, "efs")
    with translated():
        pages = efs.get_paginator("describe_mount_targets").paginate(FileSystemId=file_system_id)
        return [str(each["MountTargetId"]) for page in pages for each in page["MountTargets"]]


def delete_mount_target(target: Target, mount_target_id: str) -> None:
    """Starts the deletion of a mount target with its network interface; one that is gone is skipped."""
    efs = client(target, "efs")
    with translated():
        try:
            efs.delete_mount_target(MountTargetId=mount_target_id)
        except efs.exceptions.MountTargetNotFound:
            return


def delete_file_system(target: Target, file_system_id: str) -> None:
    """Deletes a file system without mount targets, with its files and access points."""
    with translated():
        client(target, "efs").delete_file_system(FileSystemId=file_system_id)
