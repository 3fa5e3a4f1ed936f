"""The state of file systems of FSx for Lustre and EFS, with their associations and mount targets."""

from __future__ import annotations

from typing import Any

from msgspec import Struct

from neuron_cluster.aws.errors import translated
from neuron_cluster.aws.session import Target, client


class LustreState(Struct, frozen=True):
    lifecycle: str
    failure: str
    capacity_gib: int | None
    """None with Intelligent-Tiering, which has no capacity."""
    failed_actions: tuple[str, ...]
    """Administrative actions that failed and that FSx still lists, with the reason."""
    maintenance: str
    """The weekly window as ``d:HH:MM`` in UTC; empty without one."""


class AssociationState(Struct, frozen=True):
    path: str
    repository: str
    lifecycle: str
    failure: str


class MountTargetState(Struct, frozen=True):
    id: str
    zone_id: str
    state: str


def lustre_state(target: Target, file_system_id: str) -> LustreState | None:
    """The file system; None when there is none."""
    fsx = client(target, "fsx")
    with translated():
        try:
            row = fsx.describe_file_systems(FileSystemIds=[file_system_id])["FileSystems"][0]
        except fsx.exceptions.FileSystemNotFound:
            return None
    return LustreState(
        lifecycle=row.get("Lifecycle", ""),
        failure=row.get("FailureDetails", {}).get("Message", ""),
        capacity_gib=row.get("StorageCapacity"),
        failed_actions=tuple(
            f"{action['AdministrativeActionType']}: {action.get('FailureDetails', {}).get('Message', '')}"
            for action in row.get("AdministrativeActions", ())
            if action.get("Status") == "FAILED"
        ),
        maintenance=row.get("LustreConfiguration", {}).get("WeeklyMaintenanceStartTime", ""),
    )


def association_states(target: Target, file_system_id: str) -> list[AssociationState]:
    """The associations of a file system with buckets."""
    request: dict[str, Any] = {"Filters": [{"Name": "file-system-id", "Values": [file_system_id]}]}
    rows: list[dict[str, Any]] = []
    with translated():
        while True:  # boto3 has no paginator for this call
            page = client(target, "fsx").describe_data_repository_associations(**request)
            rows += page["Associations"]
            if not page.get("NextToken"):
                break
            request["NextToken"] = page["NextToken"]
    return [
        AssociationState(
            path=row.get("FileSystemPath", ""),
            repository=row["DataRepositoryPath"],
            lifecycle=row.get("Lifecycle", ""),
            failure=row.get("FailureDetails", {}).get("Message", ""),
        )
        for row in rows
    ]


def efs_life_cycle(target: Target, file_system_id: str) -> str | None:
    """``available``, ``creating``, …; None when there is no such file system."""
    efs = client(target, "efs")
    with translated():
        try:
            return str(efs.describe_file_systems(FileSystemId=file_system_id)["FileSystems"][0]["LifeCycleState"])
        except efs.exceptions.FileSystemNotFound:
            return None


def mount_target_states(target: Target, file_system_id: str) -> list[MountTargetState]:
    """The mount targets of a file system of EFS."""
    with translated():
        pages = client(target, "efs").get_paginator("describe_mount_targets").paginate(FileSystemId=file_system_id)
        return [
            MountTargetState(row["MountTargetId"], row.get("AvailabilityZoneId", ""), row["LifeCycleState"])
            for page in pages
            for row in page["MountTargets"]
        ]


def s3_files_status(target: Target, file_system_id: str) -> str | None:
    """The status of a file system of S3 Files; None when there is none."""
    s3files = client(target, "s3files")
    with translated():
        try:
            return str(s3files.get_file_system(fileSystemId=file_system_id).get("status", ""))
        except s3files.exceptions.ResourceNotFoundException:
            return None
