"""Keys of an environment that ParallelCluster cannot run."""

from __future__ import annotations

from collections.abc import Iterator

from neuron_cluster.catalog.catalog import Catalog
from neuron_cluster.catalog.parallelcluster import ParallelClusterRelease
from neuron_cluster.config.source_map import KeyPath
from neuron_cluster.findings.text import listed
from neuron_cluster.plan.cluster_plan import ClusterPlan
from neuron_cluster.protocol.export import ExportFinding
from neuron_cluster.schedulers.slurm.cluster import SlurmCluster
from neuron_cluster.schedulers.slurm.parallelcluster.configuration import kept_tags, storage_name
from neuron_cluster.schedulers.slurm.parallelcluster.finding_specs import LIMIT, SHAPE
from neuron_cluster.schedulers.slurm.parallelcluster.queues import (
    WEIGHT,
    capacity_type,
    groups_of,
    ordered_queues,
    root_volume_gib,
)


def violations(
    plan: ClusterPlan, slurm: SlurmCluster, release: ParallelClusterRelease, catalog: Catalog
) -> Iterator[ExportFinding]:
    """Errors, in the order of the file."""
    yield from _place(plan, slurm, release, catalog)
    yield from _counts(plan, slurm, release)
    yield from _names(slurm, release)
    yield from _priorities(slurm, release)
    yield from _head_node(slurm, release, catalog)
    yield from _volumes(slurm, release)
    yield from _file_systems(plan, release)
    yield from _queues(slurm)
    yield from _ultraservers(slurm, catalog)


def _limit(path: KeyPath, message: str, hint: str) -> ExportFinding:
    return ExportFinding(LIMIT, path, message, hint)


def _place(
    plan: ClusterPlan, slurm: SlurmCluster, release: ParallelClusterRelease, catalog: Catalog
) -> Iterator[ExportFinding]:
    if plan.region not in release.regions:
        regions = listed(release.regions)
        message = f"ParallelCluster {release.name} does not support {plan.region}; its Regions are {regions}"
        yield _limit(("region",), message, "use one of these Regions, or PCS")
    dlami = catalog.dlamis.get(slurm.login.image.family)
    if dlami is not None and dlami.operating_system not in release.operating_systems:
        systems = listed(release.operating_systems)
        message = f"ParallelCluster {release.name} does not support {dlami.operating_system} of {dlami.name}"
        yield _limit((*slurm.path, "dlami"), message, f"use a DLAMI with {systems}")


def _counts(plan: ClusterPlan, slurm: SlurmCluster, release: ParallelClusterRelease) -> Iterator[ExportFinding]:
    for key, number, most in (
        ("queues", len(slurm.queues), release.queues),
        ("groups", len(slurm.groups), release.compute_resources),
    ):
        if number > most:
            message = f"ParallelCluster {release.name} allows {most} {key} and the file has {number}"
            yield _limit((*slurm.path, key), message, f"remove {number - most} of them")
    tags = kept_tags(plan, release)
    if len(tags) > release.tags:
        message = f"ParallelCluster {release.name} allows {release.tags} tags and the cluster would have {len(tags)}"
        yield _limit(("tags",), message, f"remove {len(tags) - release.tags} of them")


def _names(slurm: SlurmCluster, release: ParallelClusterRelease) -> Iterator[ExportFinding]:
    groups = [(group.path, group.name) for group in slurm.groups]
    for path, name in (*groups, *((queue.path, queue.name) for queue in slurm.queues)):
        if name in release.reserved_names:
            message = f"ParallelCluster rejects the name {name}"
            yield _limit((*path, "name"), message, "use another name, such as main")
        elif len(name) > release.name_length:
            message = f"ParallelCluster allows names of {release.name_length} characters and {name} is longer"
            yield _limit((*path, "name"), message, "use a shorter name")


def _volumes(slurm: SlurmCluster, release: ParallelClusterRelease) -> Iterator[ExportFinding]:
    size, smallest = root_volume_gib(slurm), release.root_volume_gib
    if size < smallest:
        message = f"ParallelCluster needs root volumes of {smallest} GiB and the largest is {size} GiB"
        yield _limit((*slurm.login.path, "root_volume", "size_gib"), message, f"set size_gib: {smallest} or more")
    for group in slurm.groups:
        volume = group.machine.require_root_volume()
        for key, value, most in (
            ("iops", volume.iops, release.root_volume_iops),
            ("throughput_mibps", volume.throughput_mibps, release.root_volume_throughput_mibps),
        ):
            if value > most:
                message = f"ParallelCluster has root volumes of {key} {most} at most, and {group.name} has {value}"
                yield _limit((*group.path, "root_volume", key), message, f"set {key}: {most} or less")


def _priorities(slurm: SlurmCluster, release: ParallelClusterRelease) -> Iterator[ExportFinding]:
    """The Weight of a group becomes the priority of its nodes."""
    for group in slurm.groups:
        weight = group.settings.get(WEIGHT, "1")
        if not (weight.isascii() and weight.isdecimal() and 1 <= int(weight) <= release.highest_priority):
            message = (
                f"ParallelCluster has node priorities from 1 to {release.highest_priority}, and {WEIGHT} is {weight}"
            )
            yield _limit((*group.path, "settings", WEIGHT), message, f"set {WEIGHT} to such a number, or remove it")


def _head_node(slurm: SlurmCluster, release: ParallelClusterRelease, catalog: Catalog) -> Iterator[ExportFinding]:
    """It has the instance type of the login nodes."""
    name, nodes = slurm.login.machine.instance_type, sum(group.max for group in slurm.groups)
    row, needed = catalog.instance_types.get(name), release.head_node_memory_gib(nodes)
    if row is not None and row.memory_gib is not None and row.memory_gib < needed:
        message = f"a head node for {nodes} nodes needs {needed:g} GiB of memory, and {name} has {row.memory_gib}"
        hint = f"use a larger instance type, or lower count.max of groups: {nodes} is their sum"
        yield _limit((*slurm.login.path, "instance_type"), message, hint)


def _file_systems(plan: ClusterPlan, release: ParallelClusterRelease) -> Iterator[ExportFinding]:
    points = plan.storage.efs.access_points if plan.storage is not None and plan.storage.efs is not None else ()
    path: KeyPath = ("storage", "efs", "access_points")
    if len(points) > release.existing_efs:
        message = f"ParallelCluster mounts {release.existing_efs} access points of EFS, and the file has {len(points)}"
        yield _limit(path, message, f"remove {len(points) - release.existing_efs} of them")
    for position, point in enumerate(points):
        name, longest = storage_name(point.name), release.storage_name_length
        if len(name) > longest:
            message = f"ParallelCluster allows names of {longest} characters for shared storage, and {name} is longer"
            hint = f"use a name of {longest - len(name) + len(point.name)} characters at most"
            yield _limit((*path, position, "name"), message, hint)


def _queues(slurm: SlurmCluster) -> Iterator[ExportFinding]:
    for group in slurm.groups:
        names = [queue.name for queue in slurm.queues if group.name in queue.groups]
        if len(names) > 1:
            message = f"{group.name} is in the queues {listed(names)}, and ParallelCluster has a group in one queue"
            yield ExportFinding(SHAPE, group.path, message, f"remove {group.name} from the groups of {names[-1]}")
    for queue in ordered_queues(slurm):
        groups = groups_of(queue, slurm)
        for what, values in (
            ("purchase option", {capacity_type(group) for group in groups}),
            ("availability zone", {", ".join(group.zone_ids) for group in groups}),
        ):
            if len(values) > 1:
                given = listed(sorted(values))
                message = f"ParallelCluster has one {what} for a queue, and groups of {queue.name} have {given}"
                yield ExportFinding(SHAPE, (*queue.path, "groups"), message, "give each of them a queue of its own")


def _ultraservers(slurm: SlurmCluster, catalog: Catalog) -> Iterator[ExportFinding]:
    for group in slurm.groups:
        row = catalog.instance_types.get(group.machine.instance_type)
        if row is not None and row.ultraserver is not None:
            message = f"ParallelCluster has no UltraServers of {row.name}"
            yield ExportFinding(SHAPE, (*group.path, "capacity"), message, f"run {group.name} on PCS")
