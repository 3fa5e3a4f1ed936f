"""FSx for Lustre file systems and their data repository associations."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from msgspec import Struct

from neuron_cluster.aws.errors import translated
from neuron_cluster.aws.session import Target, client


class FileSystem(Struct, frozen=True):
    id: str
    status: str
    capacity_gib: int | None
    """None with Intelligent-Tiering."""
    deployment_type: str
    throughput_mbps_per_tib: int | None
    kms_key_id: str
    dns_name: str = ""
    mount_name: str = ""
    """The Lustre mount name: clients mount ``DNS_NAME@tcp:/MOUNT_NAME``."""
    has_metadata_configuration: bool = False

    @property
    def size_text(self) -> str:
        """``4,800 GiB``, or the storage class that has no size."""
        return f"{self.capacity_gib:,} GiB" if self.capacity_gib is not None else "Intelligent-Tiering"


class FileSystemUpdate(Struct, frozen=True):
    """An update of a file system that was requested with UpdateFileSystem."""

    status: str
    requested_at: datetime
    changed: frozenset[str]
    """Members of the request, those of ``LustreConfiguration`` by their own names."""

    @property
    def is_without_effect(self) -> bool:
        return self.status in ("FAILED", "CANCELLED")

    @property
    def is_in_progress(self) -> bool:
        """Also while FSx distributes files after it (``UPDATED_OPTIMIZING``)."""
        return self.status != "COMPLETED" and not self.is_without_effect


class Association(Struct, frozen=True):
    id: str
    file_system_id: str
    status: str
    file_system_path: str
    repository: str
    """``s3://bucket/prefix``."""


def file_system(target: Target, file_system_id: str) -> FileSystem | None:
    """The file system; none when there is none."""
    fsx = client(target, "fsx")
    with translated():
        try:
            row = fsx.describe_file_systems(FileSystemIds=[file_system_id])["FileSystems"][0]
        except fsx.exceptions.FileSystemNotFound:
            return None
    lustre = row.get("LustreConfiguration", {})
    return FileSystem(
        id=row["FileSystemId"],
        status=row.get("Lifecycle", ""),
        capacity_gib=row.get("StorageCapacity"),
        deployment_type=lustre.get("DeploymentType", ""),
        throughput_mbps_per_tib=lustre.get("PerUnitStorageThroughput"),
        kms_key_id=row.get("KmsKeyId", ""),
        dns_name=row.get("DNSName", ""),
        mount_name=lustre.get("MountName", ""),
        has_metadata_configuration="MetadataConfiguration" in lustre,
    )


def updates(target: Target, file_system_id: str) -> list[FileSystemUpdate]:
    """Updates that FSx still lists, the newest first; none when there is no such file system."""
    fsx = client(target, "fsx")
    with translated():
        try:
            row = fsx.describe_file_systems(FileSystemIds=[file_system_id])["FileSystems"][0]
        except fsx.exceptions.FileSystemNotFound:
            return []
    found = [
        FileSystemUpdate(
            status=action.get("Status", ""),
            requested_at=action["RequestTime"],
            changed=_members(action.get("TargetFileSystemValues", {})),
        )
        for action in row.get("AdministrativeActions", [])
        if action["AdministrativeActionType"] == "FILE_SYSTEM_UPDATE"
    ]
    return sorted(found, key=lambda update: update.requested_at, reverse=True)


def _members(values: Mapping[str, Any]) -> frozenset[str]:
    lustre = values.get("LustreConfiguration", {})
    return frozenset((*(name for name in values if name != "LustreConfiguration"), *lustre))


def associations(target: Target, file_system_id: str) -> list[Association]:
    """The associations of a file system."""
    request: dict[str, Any] = {"Filters": [{"Name": "file-system-id", "Values": [file_system_id]}]}
    rows: list[dict[str, Any]] = []
    with translated():
        while True:
            page = client(target, "fsx").describe_data_repository_associations(**request)
            rows += page["Associations"]
            if not page.get("NextToken"):
                break
            request["NextToken"] = page["NextToken"]
    return [
        Association(
            id=row["AssociationId"],
            file_system_id=row["FileSystemId"],
            status=row.get("Lifecycle", ""),
            file_system_path=row.get("FileSystemPath", ""),
            repository=row["DataRepositoryPath"],
        )
        for row in rows
    ]


def delete_association(target: Target, association_id: str) -> None:
    """Starts the deletion of the association; the files of both sides are kept."""
    with translated():
        client(target, "fsx").delete_data_repository_association(
            AssociationId=association_id, DeleteDataInFileSystem=False
        )


def delete_file_system(target: Target, file_system_id: str) -> None:
    """Starts the deletion of a file system with its data."""
    with translated():
        client(target, "fsx").delete_file_system(FileSystemId=file_system_id)
