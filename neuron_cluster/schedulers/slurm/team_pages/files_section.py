"""The user of a team, its home, and the file systems of nodes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from neuron_cluster.bootstrap.mounts import NODE_LUSTRE, access_point_folder
from neuron_cluster.pages.document import Section
from neuron_cluster.plan.core_stacks import STORAGE
from neuron_cluster.table import Table

if TYPE_CHECKING:
    from neuron_cluster.plan.cluster_plan import ClusterPlan
    from neuron_cluster.schedulers.slurm.cluster import SlurmCluster
    from neuron_cluster.schedulers.slurm.node_start_plan import PosixUser

NOT_SHARED = "on the root volume of each node: jobs do not see files of the login node, and files end with their node"

NO_CREDENTIALS = (
    "Jobs have no AWS credentials: programs that use S3 need those of the team, such as a profile in `AWS_PROFILE`."
)


def files_section(plan: ClusterPlan, slurm: SlurmCluster, user: PosixUser) -> Section:
    closed = slurm.login.start.node.has_closed_metadata
    note = NO_CREDENTIALS if closed else "All jobs have one IAM role, whatever team they are of."
    return Section(
        "User and files", (Table("On every node", ("what", "where"), tuple(_rows(plan, slurm, user)), note),)
    )


def shared_folder(slurm: SlurmCluster, user: PosixUser) -> str | None:
    """A folder for the files of the team that all nodes see; None without a shared file system."""
    start = slurm.login.start
    if start.has_lustre:
        return user.home
    return f"{access_point_folder(start.access_points[0])}/{user.name}" if start.access_points else None


def _rows(plan: ClusterPlan, slurm: SlurmCluster, user: PosixUser) -> Iterator[tuple[str, str]]:
    start = slurm.login.start
    yield "user and group", f"`{user.name}`, with the id {user.uid}"
    yield "home", f"`{user.home}`, {'shared by all nodes' if start.has_lustre else NOT_SHARED}"
    if start.has_lustre:
        yield "Lustre, for all teams", f"`{NODE_LUSTRE.folder}`"
    for name in start.access_points:
        yield "EFS, for all teams as one user", f"`{access_point_folder(name)}`"
    if start.node.compile_cache:
        yield "compile cache", f"{_cache(start.node.compile_cache)}; jobs have it in `NEURON_COMPILE_CACHE_URL`"
    if plan.storage is not None and plan.storage.bucket is not None:
        stack = plan.stack_name(STORAGE.stack_key)
        yield "checkpoint bucket", f"its name is the output `CheckpointBucket` of the stack `{stack}`"


def _cache(address: str) -> str:
    return "in the checkpoint bucket" if address.startswith("s3://") else f"`{address}`, of the team alone"
