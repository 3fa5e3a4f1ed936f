"""Resources of an environment that exist, read back from the services."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from msgspec import Struct

from neuron_cluster.aws import cloudformation, ec2, efs, fsx, kms, s3
from neuron_cluster.aws.session import LocalTarget, Target
from neuron_cluster.deploy.local_server import recorded
from neuron_cluster.protocol.existing import DeployedResources, ExistingProvider
from neuron_cluster.protocol.registry import registered_operations

Row = TypeVar("Row")


class ExistingStack(Struct, frozen=True):
    name: str
    status: str
    resources: int
    is_protected: bool


class ExistingFileSystem(Struct, frozen=True):
    file_system: fsx.FileSystem
    associations: tuple[fsx.Association, ...]


class Existing(Struct, frozen=True):
    """Everything that was found, each part as its service returns it."""

    stacks: tuple[ExistingStack, ...]
    subnets: tuple[ec2.Subnet, ...]
    providers: tuple[ExistingProvider, ...]
    file_systems: tuple[ExistingFileSystem, ...]
    efs_file_systems: tuple[efs.EfsFileSystem, ...]
    buckets: tuple[s3.Bucket, ...]
    homes: tuple[ec2.Volume, ...]
    workstations: tuple[ec2.Instance, ...]
    keys: tuple[kms.Key, ...]


def read_existing(target: Target, stack_names: Sequence[str]) -> Existing:
    """Reads back what these stacks hold. Raises ``ToolkitError`` when a service does not answer."""
    stacks, by_type = _stacks(target, stack_names)
    records = _records(target) if isinstance(target, LocalTarget) else None
    held = DeployedResources(by_type, records)
    systems = _present(fsx.file_system, target, by_type.get("AWS::FSx::FileSystem", []))
    return Existing(
        stacks=tuple(stacks),
        subnets=tuple(ec2.subnets(target, by_type.get("AWS::EC2::Subnet", []))),
        providers=tuple(each.existing(target, held) for each in registered_operations()),
        file_systems=tuple(ExistingFileSystem(fs, tuple(fsx.associations(target, fs.id))) for fs in systems),
        efs_file_systems=tuple(_present(efs.efs_file_system, target, by_type.get("AWS::EFS::FileSystem", []))),
        buckets=tuple(_present(s3.bucket, target, by_type.get("AWS::S3::Bucket", []))),
        homes=tuple(ec2.volumes(target, by_type.get("AWS::EC2::Volume", []))),
        workstations=tuple(ec2.instances(target, by_type.get("AWS::EC2::Instance", []))),
        keys=tuple(_present(kms.key, target, by_type.get("AWS::KMS::Key", []))),
    )


def _stacks(target: Target, names: Sequence[str]) -> tuple[list[ExistingStack], dict[str, list[str]]]:
    """The stacks that exist, and the physical ids of their resources by type."""
    stacks: list[ExistingStack] = []
    by_type: dict[str, list[str]] = {}
    for name, found in cloudformation.stacks_named(target, names).items():
        held = cloudformation.resources(target, name)
        stacks.append(ExistingStack(name, found.status, len(held), found.is_protected))
        for resource in held:
            by_type.setdefault(resource.type, []).append(resource.physical_id)
    return stacks, by_type


def _present(read: Callable[[Target, str], Row | None], target: Target, ids: Sequence[str]) -> list[Row]:
    """Returns the rows of the ids that the service knows."""
    return [found for physical_id in ids if (found := read(target, physical_id)) is not None]


def _records(target: LocalTarget) -> tuple[dict[str, Any], ...]:
    return tuple(recorded(target.endpoint, target.account, target.region))
