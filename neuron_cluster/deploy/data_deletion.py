"""Data that a storage stack leaves behind on purpose, and its deletion when a person asks for it by name."""

from __future__ import annotations

import time
from collections.abc import Sequence

from msgspec import Struct

from neuron_cluster.aws import ec2, fsx, kms, s3
from neuron_cluster.aws.cloudformation import resources
from neuron_cluster.aws.session import LocalTarget, Target
from neuron_cluster.errors import ToolkitError

LONGEST_WAIT_SECONDS = 3600
"""For a file system to go: FSx first writes back what is changed."""


class Data(Struct, frozen=True):
    """Physical ids of what holds data, and of the keys it is encrypted with."""

    buckets: tuple[str, ...]
    file_systems: tuple[fsx.FileSystem, ...]
    keys: tuple[str, ...]
    volumes: tuple[ec2.Volume, ...] = ()
    """Homes of workstations."""

    @property
    def in_words(self) -> str:
        """``bucket B, file system fs-1 (4,800 GiB), key K``."""
        words = [f"bucket {name}" for name in self.buckets]
        words += [f"file system {system.id} ({system.capacity_gib:,} GiB)" for system in self.file_systems]
        words += [f"volume {volume.id} ({volume.size_gib:,} GiB)" for volume in self.volumes]
        words += [f"key {key}" for key in self.keys]
        return ", ".join(words) or "nothing with data"


def find_data(target: Target, stack_name: str) -> Data:
    """What a storage stack holds."""
    by_type: dict[str, list[str]] = {}
    for resource in resources(target, stack_name):
        if resource.physical_id:
            by_type.setdefault(resource.type, []).append(resource.physical_id)
    systems = (fsx.file_system(target, system_id) for system_id in by_type.get("AWS::FSx::FileSystem", ()))
    return Data(
        buckets=tuple(by_type.get("AWS::S3::Bucket", ())),
        file_systems=tuple(system for system in systems if system is not None),
        keys=tuple(by_type.get("AWS::KMS::Key", ())),
        volumes=tuple(ec2.volumes(target, by_type.get("AWS::EC2::Volume", ()))),
    )


def delete_data(target: Target, data: Data) -> None:
    """Deletes file systems, buckets with every version, homes, and lets the keys expire.

    Raises ``ToolkitError`` that names what is left when a service refuses.
    """
    try:
        _delete_file_systems(target, [system.id for system in data.file_systems])
        for name in data.buckets:
            s3.delete_bucket(target, name)
        for volume in ec2.volumes(target, [volume.id for volume in data.volumes]):
            ec2.delete_volume(target, volume.id)
        for key_id in data.keys:
            found = kms.key(target, key_id)
            if found is not None and found.state != "PendingDeletion":
                kms.schedule_key_deletion(target, key_id)
    except ToolkitError as error:
        hint = f"the stack is gone; look by hand after: {data.in_words}"
        raise ToolkitError(f"the data could not be deleted: {error.message}", hint=hint) from error


def _delete_file_systems(target: Target, ids: Sequence[str]) -> None:
    for system_id in ids:
        if fsx.file_system(target, system_id) is None:
            continue
        for association in fsx.associations(target, system_id):
            fsx.delete_association(target, association.id)
        _wait_until_gone(target, system_id, "the associations of")
        fsx.delete_file_system(target, system_id)
        _wait_until_gone(target, system_id, "")


def _wait_until_gone(target: Target, system_id: str, what: str) -> None:
    """Waits for the file system's associations, or for the file system itself, to be gone."""
    deadline = time.monotonic() + LONGEST_WAIT_SECONDS
    pause = 0.2 if isinstance(target, LocalTarget) else 15.0
    while fsx.associations(target, system_id) if what else fsx.file_system(target, system_id) is not None:
        if time.monotonic() > deadline:
            raise ToolkitError(f"{what} file system {system_id} are still there after an hour".strip())
        time.sleep(pause)
