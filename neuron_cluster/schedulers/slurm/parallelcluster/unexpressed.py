"""Keys of an environment that the configuration of ParallelCluster does not hold."""

from __future__ import annotations

from collections.abc import Iterator

from neuron_cluster.catalog.parallelcluster import ParallelClusterRelease
from neuron_cluster.config.source_map import KeyPath
from neuron_cluster.findings.text import listed
from neuron_cluster.plan.cluster_plan import ClusterPlan
from neuron_cluster.protocol.export import ExportFinding
from neuron_cluster.schedulers.slurm.cluster import SlurmCluster
from neuron_cluster.schedulers.slurm.parallelcluster.configuration import all_tags, kept_tags
from neuron_cluster.schedulers.slurm.parallelcluster.finding_specs import NOT_EXPRESSED
from neuron_cluster.schedulers.slurm.parallelcluster.queues import root_volume_gib
from neuron_cluster.schedulers.slurm.parallelcluster.settings import rejected_settings


def unexpressed(plan: ClusterPlan, slurm: SlurmCluster, release: ParallelClusterRelease) -> Iterator[ExportFinding]:
    """Warnings, each at the key whose value the cluster of ParallelCluster will not have."""
    yield from _controller(slurm, release)
    yield from _settings(slurm, release)
    yield from _groups(slurm)
    yield from _queues(slurm)
    yield from _storage(plan)
    users = slurm.login.start.users
    if users:
        yield _warning(
            ("teams",),
            f"ParallelCluster has no users of teams: {listed([user.name for user in users])}",
            "add DirectoryService to cluster.yaml, or create users by CustomActions/OnNodeConfigured",
        )
    if not plan.network.has_internet:
        yield _warning(
            plan.network.internet_path,
            f"{plan.network.lack_of_internet}, and ParallelCluster calls more services than have endpoints here",
            f"{plan.network.internet_edit}, or add the endpoints that its guide lists",
        )
    lost = [key for key in all_tags(plan) if key not in kept_tags(plan, release)]
    if lost:
        yield _warning(("tags",), f"ParallelCluster rejects the tags {listed(lost)}", "use other keys or values")


def _warning(path: KeyPath, message: str, hint: str) -> ExportFinding:
    return ExportFinding(NOT_EXPRESSED, path, message, hint)


def _controller(slurm: SlurmCluster, release: ParallelClusterRelease) -> Iterator[ExportFinding]:
    if not release.slurm_version.startswith(f"{slurm.version}."):
        yield _warning(
            (*slurm.path, "version"),
            f"ParallelCluster {release.name} has Slurm {release.slurm_version}, and version is {slurm.version}",
            "check your jobs with that version",
        )
    yield _warning(
        (*slurm.path, "login"),
        "the file has no head node: it gets the instance type of the login nodes",
        "edit HeadNode in cluster.yaml for another type",
    )
    if len({group.machine.require_root_volume() for group in slurm.compute_groups}) > 1:
        yield _warning(
            slurm.path,
            "no root volume may be smaller than that of the one AMI: every node gets the largest of the file, "
            f"{root_volume_gib(slurm)} GiB",
            "give all groups and the login nodes the same root_volume",
        )
    if slurm.has_accounting:
        yield _warning(
            (*slurm.path, "accounting"),
            "ParallelCluster has no accounting without a database of yours",
            "add SlurmSettings/Database to cluster.yaml, or set accounting: false",
        )


def _settings(slurm: SlurmCluster, release: ParallelClusterRelease) -> Iterator[ExportFinding]:
    levels = [("cluster", slurm.path, slurm.settings)]
    levels += [("group", group.path, group.settings) for group in slurm.groups]
    levels += [("queue", queue.path, queue.settings) for queue in slurm.queues]
    for level, path, settings in levels:
        for name in rejected_settings(level, settings, release):
            yield _warning(
                (*path, "settings", name),
                f"ParallelCluster rejects the setting {name} of a {level}",
                f"remove {name}, or do without it",
            )
    yield _warning(
        slurm.path,
        "nodes of ParallelCluster do not have the scripts of the toolkit: health check, prologs, epilog and jobs",
        "copy them to the same paths by CustomActions/OnNodeConfigured, or do without",
    )
    yield _warning(
        slurm.path,
        f"ParallelCluster writes cgroup.conf itself, without {listed(slurm.cgroup_settings)}",
        "keep whole_nodes: true, so that jobs do not share Neuron devices",
    )


def _groups(slurm: SlurmCluster) -> Iterator[ExportFinding]:
    for group in slurm.groups:
        if group.gres is not None:
            yield _warning(
                (*group.path, "instance_type"),
                f"ParallelCluster has no generic resources for the Neuron devices of {group.name}: jobs with --gpus do "
                "not run",
                "request whole nodes with --nodes",
            )
        configuration = group.machine.logical_nc_config
        if group.start.lnc_shell is not None:
            yield _warning(
                (*group.path, "logical_nc_config"),
                f"nodes of {group.name} have the default logical NeuronCores, not {configuration}",
                f"set NEURON_LOGICAL_NC_CONFIG={configuration} in jobs",
            )
        if sum(each.interface_type == "efa" for each in group.machine.interfaces) > 1:
            yield _warning(
                (*group.path, "efa"),
                f"network cards of ParallelCluster have no IP address beyond the first, and all of {group.name} have",
                f"set efa: efa for {group.name}, or do without",
            )
        if group.machine.purchase.reservation_preference is not None:
            yield _warning(
                (*group.path, "capacity"),
                f"ParallelCluster has no reservation preference, which {group.name} has",
                "name a reservation by its id",
            )


def _queues(slurm: SlurmCluster) -> Iterator[ExportFinding]:
    if not any(queue.is_default for queue in slurm.queues):
        yield _warning(
            (*slurm.path, "queues"),
            f"ParallelCluster makes {slurm.queues[0].name} the default queue, and the file has none",
            "set default: true for the queue that is to be it",
        )


def _storage(plan: ClusterPlan) -> Iterator[ExportFinding]:
    storage = plan.storage
    if storage is None:
        return
    if storage.bucket is not None:
        yield _warning(
            storage.bucket.path,
            "roles of ParallelCluster have no access to the checkpoint bucket and its key",
            "add Iam/AdditionalIamPolicies to queues in cluster.yaml",
        )
    if storage.s3_files is not None:
        yield _warning(
            storage.s3_files.path,
            "ParallelCluster does not mount S3 Files",
            "mount it by CustomActions/OnNodeConfigured",
        )
