"""What exists of an environment, read back from the services themselves."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from msgspec import Struct

from neuron_cluster.aws import cloudformation, ec2, eks, fsx, kms, s3
from neuron_cluster.aws.session import LocalTarget, Target
from neuron_cluster.deploy.local_server import recorded

Row = TypeVar("Row")


class ExistingStack(Struct, frozen=True):
    name: str
    status: str
    resources: int
    is_protected: bool


class ExistingNodeGroup(Struct, frozen=True):
    group: eks.NodeGroup
    template: ec2.LaunchTemplateVersion | None


class ExistingFileSystem(Struct, frozen=True):
    file_system: fsx.FileSystem
    associations: tuple[fsx.Association, ...]


class RequestedChart(Struct, frozen=True):
    """A chart that was asked for on the local AWS: recorded, not installed."""

    release: str
    chart: str
    version: str
    namespace: str


class Existing(Struct, frozen=True):
    """Everything that was found, each part as its service tells it."""

    stacks: tuple[ExistingStack, ...]
    subnets: tuple[ec2.Subnet, ...]
    clusters: tuple[eks.Cluster, ...]
    addons: tuple[eks.Addon, ...]
    access_entries: tuple[eks.AccessEntry, ...]
    node_groups: tuple[ExistingNodeGroup, ...]
    file_systems: tuple[ExistingFileSystem, ...]
    buckets: tuple[s3.Bucket, ...]
    homes: tuple[ec2.Volume, ...]
    workstations: tuple[ec2.Instance, ...]
    keys: tuple[kms.Key, ...]
    charts: tuple[RequestedChart, ...] | None
    """None on AWS, where the charts are in the cluster, which this command does not ask."""


def read_existing(target: Target, stack_names: Sequence[str]) -> Existing:
    """Reads back what these stacks hold. Raises ``ToolkitError`` when a service does not answer."""
    stacks, by_type = _stacks(target, stack_names)
    clusters = _present(eks.cluster, target, by_type.get("AWS::EKS::Cluster", []))
    names = [cluster.name for cluster in clusters]
    systems = _present(fsx.file_system, target, by_type.get("AWS::FSx::FileSystem", []))
    return Existing(
        stacks=tuple(stacks),
        subnets=tuple(ec2.subnets(target, by_type.get("AWS::EC2::Subnet", []))),
        clusters=tuple(clusters),
        addons=tuple(addon for name in names for addon in eks.addons(target, name)),
        access_entries=tuple(entry for name in names for entry in eks.access_entries(target, name)),
        node_groups=tuple(_with_template(target, g) for name in names for g in eks.node_groups(target, name)),
        file_systems=tuple(ExistingFileSystem(fs, tuple(fsx.associations(target, fs.id))) for fs in systems),
        buckets=tuple(_present(s3.bucket, target, by_type.get("AWS::S3::Bucket", []))),
        homes=tuple(ec2.volumes(target, by_type.get("AWS::EC2::Volume", []))),
        workstations=tuple(ec2.instances(target, by_type.get("AWS::EC2::Instance", []))),
        keys=tuple(_present(kms.key, target, by_type.get("AWS::KMS::Key", []))),
        charts=_charts(target, names) if isinstance(target, LocalTarget) else None,
    )


def _stacks(target: Target, names: Sequence[str]) -> tuple[list[ExistingStack], dict[str, list[str]]]:
    """The stacks that exist, and the physical ids of their resources by type."""
    stacks: list[ExistingStack] = []
    by_type: dict[str, list[str]] = {}
    for name in names:
        found = cloudformation.stack(target, name)
        if found is None:
            continue
        held = cloudformation.resources(target, name)
        stacks.append(ExistingStack(name, found.status, len(held), found.is_protected))
        for resource in held:
            by_type.setdefault(resource.type, []).append(resource.physical_id)
    return stacks, by_type


def _present(read: Callable[[Target, str], Row | None], target: Target, ids: Sequence[str]) -> list[Row]:
    """Those that the service knows."""
    return [found for physical_id in ids if (found := read(target, physical_id)) is not None]


def _with_template(target: Target, group: eks.NodeGroup) -> ExistingNodeGroup:
    if not group.launch_template_id:
        return ExistingNodeGroup(group, None)
    version = ec2.launch_template_version(target, group.launch_template_id, group.launch_template_version)
    return ExistingNodeGroup(group, version)


def _charts(target: LocalTarget, cluster_names: Sequence[str]) -> tuple[RequestedChart, ...]:
    rows: list[dict[str, Any]] = recorded(target.endpoint, target.account, target.region)
    return tuple(
        RequestedChart(row["release"], row["chart"], row.get("version") or "", row["namespace"])
        for row in rows
        if row["kind"] == "chart" and row["cluster"] in cluster_names
    )
