"""Data that a storage stack leaves behind on purpose, and its deletion when the user names it."""

from __future__ import annotations

import time
from collections.abc import Callable

from msgspec import Struct

from neuron_cluster.aws import backup, ec2, efs, fsx, kms, s3, s3files
from neuron_cluster.aws.cloudformation import resources
from neuron_cluster.aws.session import LocalTarget, Target
from neuron_cluster.errors import ToolkitError
from neuron_cluster.findings.text import counted

LONGEST_WAIT_MINUTES = 60
"""The longest wait for the deletion of a file system: FSx first writes back changed files."""
BEING_DELETED = "DELETING"
"""The lifecycle of FSx from the call until it is deleted."""

EFS_BEING_DELETED = "deleting"
"""The same of EFS."""

BUCKETS = ("AWS::S3::Bucket", "AWS::S3Express::DirectoryBucket")


class Data(Struct, frozen=True):
    """Physical ids of what holds data, and of the keys it is encrypted with."""

    buckets: tuple[str, ...]
    file_systems: tuple[fsx.FileSystem, ...]
    keys: tuple[str, ...]
    volumes: tuple[ec2.Volume, ...] = ()
    """Homes of workstations."""
    efs_file_systems: tuple[efs.EfsFileSystem, ...] = ()
    s3_file_systems: tuple[str, ...] = ()
    """Ids of file systems of S3 Files, which write into the buckets."""
    vaults: tuple[backup.Vault, ...] = ()
    """Vaults of AWS Backup."""

    @property
    def is_gone(self) -> bool:
        """Whether nothing is left, not even a key."""
        return not (self.buckets or self.has_interfaces or self.keys or self.volumes or self.vaults)

    @property
    def has_interfaces(self) -> bool:
        """Whether something of it has interfaces in the subnets."""
        return bool(self.file_systems or self.efs_file_systems or self.s3_file_systems)

    @property
    def description(self) -> str:
        """``bucket B, file system fs-1 (4,800 GiB), key K``."""
        texts = [f"bucket {name}" for name in self.buckets]
        texts += [f"file system {system.id} ({system.size_text})" for system in self.file_systems]
        texts += [f"EFS file system {system.id}" for system in self.efs_file_systems]
        texts += [f"S3 Files file system {identity}" for identity in self.s3_file_systems]
        texts += [f"volume {volume.id} ({volume.size_gib:,} GiB)" for volume in self.volumes]
        texts += [f"vault {vault.name} ({counted(vault.recovery_points, 'recovery point')})" for vault in self.vaults]
        texts += [f"key {key}" for key in self.keys]
        return ", ".join(texts) or "nothing with data"


def find_data(target: Target, stack_name: str) -> Data:
    """Returns the data of a storage stack that still exists: an earlier deletion may have been stopped half-way."""
    by_type: dict[str, list[str]] = {}
    for resource in resources(target, stack_name):
        if resource.physical_id:
            by_type.setdefault(resource.type, []).append(resource.physical_id)
    systems = (fsx.file_system(target, system_id) for system_id in by_type.get("AWS::FSx::FileSystem", ()))
    shared = (efs.efs_file_system(target, system_id) for system_id in by_type.get("AWS::EFS::FileSystem", ()))
    files = (s3files.s3_file_system_id(target, arn) for arn in by_type.get("AWS::S3Files::FileSystem", ()))
    vaults = (backup.vault(target, name) for name in by_type.get("AWS::Backup::BackupVault", ()))
    buckets = [name for kind in BUCKETS for name in by_type.get(kind, ())]
    return Data(
        buckets=tuple(name for name in buckets if s3.bucket_exists(target, name)),
        file_systems=tuple(system for system in systems if system is not None),
        keys=tuple(key_id for key_id in by_type.get("AWS::KMS::Key", ()) if _is_retained(target, key_id)),
        volumes=tuple(ec2.volumes(target, by_type.get("AWS::EC2::Volume", ()))),
        efs_file_systems=tuple(system for system in shared if system is not None),
        s3_file_systems=tuple(identity for identity in files if identity is not None),
        vaults=tuple(vault for vault in vaults if vault is not None),
    )


def require_deletable(data: Data) -> None:
    """Raises ``ToolkitError`` for recovery points that a vault lock protects."""
    for vault in data.vaults:
        if not vault.is_locked or not vault.recovery_points:
            continue
        points = counted(vault.recovery_points, "recovery point")
        raise ToolkitError(
            f"the vault {vault.name} has {points}, which its vault lock protects; nothing was deleted",
            hint="a lock in governance mode is removed by `aws backup delete-backup-vault-lock-configuration "
            f"--backup-vault-name {vault.name}`; with one in compliance mode wait until the retention of the newest "
            "recovery point ends",
        )


def delete_data(target: Target, data: Data) -> None:
    """Deletes file systems, buckets with every version, homes, vaults, and lets the keys expire.

    Skips what is deleted already. File systems are deleted first, since they write into the buckets, and the keys
    last, since all the rest is encrypted with them. Raises ``ToolkitError`` when a service rejects the deletion.
    """
    try:
        _delete_file_systems(target, data)
        for name in data.buckets:
            s3.delete_bucket(target, name)
        for volume in ec2.volumes(target, [volume.id for volume in data.volumes]):
            ec2.delete_volume(target, volume.id)
        for vault in data.vaults:
            _delete_vault(target, vault.name)
        for key_id in data.keys:
            if _is_retained(target, key_id):
                kms.schedule_key_deletion(target, key_id)
    except ToolkitError as error:
        again = "the stack of the data still exists: run the same command again, before any deploy, to delete the rest"
        hint = f"{error.hint}; {again}" if error.hint else again
        raise ToolkitError(f"the data could not be deleted: {error.message}", hint=hint) from error


def _delete_file_systems(target: Target, data: Data) -> None:
    for system in data.file_systems:
        _delete_file_system(target, system.id)
    for shared in data.efs_file_systems:
        _delete_efs(target, shared.id)
    for identity in data.s3_file_systems:
        _delete_s3_files(target, identity)


def _is_retained(target: Target, key_id: str) -> bool:
    found = kms.key(target, key_id)
    return found is not None and found.state != "PendingDeletion"


def _delete_file_system(target: Target, system_id: str) -> None:
    """Its associations first, which go on writing into the bucket. One that is on its way out is waited for."""
    system = fsx.file_system(target, system_id)
    if system is None:
        return
    if system.status != BEING_DELETED:
        for association in fsx.associations(target, system_id):
            if association.status != BEING_DELETED:
                fsx.delete_association(target, association.id)
        _wait_while(lambda: fsx.associations(target, system_id), target, f"an association of {system_id}")
        fsx.delete_file_system(target, system_id)
    _wait_while(lambda: fsx.file_system(target, system_id), target, f"the file system {system_id}")


def _delete_efs(target: Target, system_id: str) -> None:
    """Its mount targets first: EFS rejects the deletion of a file system that has one."""
    system = efs.efs_file_system(target, system_id)
    if system is None:
        return
    if system.status != EFS_BEING_DELETED:
        for mount_target_id in efs.mount_targets(target, system_id):
            efs.delete_mount_target(target, mount_target_id)
        _wait_while(lambda: efs.mount_targets(target, system_id), target, f"a mount target of {system_id}")
        efs.delete_file_system(target, system_id)
    _wait_while(lambda: efs.efs_file_system(target, system_id), target, f"the file system {system_id}")


def _delete_s3_files(target: Target, identity: str) -> None:
    """Its mount targets and access points first: S3 Files rejects the deletion of a file system that has one."""
    if s3files.s3_file_system_id(target, identity) is None:
        return
    for access_point_id in s3files.access_points(target, identity):
        s3files.delete_access_point(target, access_point_id)
    _wait_while(lambda: s3files.access_points(target, identity), target, f"an access point of {identity}")
    for mount_target_id in s3files.mount_targets(target, identity):
        s3files.delete_mount_target(target, mount_target_id)
    _wait_while(lambda: s3files.mount_targets(target, identity), target, f"a mount target of {identity}")
    s3files.delete_file_system(target, identity)
    _wait_while(lambda: s3files.s3_file_system_id(target, identity), target, f"the file system {identity}")


def _delete_vault(target: Target, name: str) -> None:
    """AWS Backup deletes a recovery point after it accepted the request, and a vault only when it is empty."""
    found = backup.vault(target, name)
    if found is None:
        return
    if found.recovery_points:
        backup.delete_recovery_points(target, name)
        _wait_while(
            lambda: (backup.vault(target, name) or found).recovery_points, target, f"a recovery point of {name}"
        )
    backup.delete_vault(target, name)


def _wait_while(there: Callable[[], object], target: Target, what: str) -> None:
    """Raises ``ToolkitError`` when it is still there after the longest wait."""
    deadline = time.monotonic() + LONGEST_WAIT_MINUTES * 60
    pause = 0.2 if isinstance(target, LocalTarget) else 15.0
    while there():
        if time.monotonic() > deadline:
            raise ToolkitError(f"{what} is still there after {LONGEST_WAIT_MINUTES} minutes")
        time.sleep(pause)
