"""Decisions about the first boot of a node: settings of its scripts, file systems, users."""

from __future__ import annotations

from typing import TYPE_CHECKING

from neuron_cluster.bootstrap.mounts import NODE_LUSTRE, access_point_folder
from neuron_cluster.plan.addon_plan import CHECKPOINT_BUCKET_NAME
from neuron_cluster.plan.compile_cache_plan import COMPILE_CACHE_PREFIX
from neuron_cluster.planning.build_lnc_shell import build_lnc_shell
from neuron_cluster.planning.build_machine import known_instance_type
from neuron_cluster.providers.pcs.config.cluster import Slurm
from neuron_cluster.schedulers.slurm.node_settings import node_settings
from neuron_cluster.schedulers.slurm.node_start_plan import NodeStartPlan, PosixUser
from neuron_cluster.schedulers.slurm.posix_users import posix_id, posix_name

if TYPE_CHECKING:
    from neuron_cluster.catalog.catalog import Catalog
    from neuron_cluster.catalog.lustre_client import ClientPackage
    from neuron_cluster.plan.machine_plan import MachinePlan
    from neuron_cluster.providers.pcs.groups import SlurmGroup
    from neuron_cluster.resolved.resolved_environment import ResolvedEnvironment

COMMANDS = "/opt/aws/pcs/scheduler/slurm-{version}/bin"
"""The folder in which the installer of PCS has the programs of Slurm.

Source: https://docs.aws.amazon.com/pcs/latest/userguide/working-with_ami_installers_slurm.html
"""

HOMES = "home"
"""Folder of home directories, on the shared file system where there is one."""

CACHE_OF_USER = "~/neuron-compile-cache"
"""The compile cache where there are teams. The default of the compiler is one folder of the node for all users."""


def build_node_start(
    group: SlurmGroup, machine: MachinePlan, environment: ResolvedEnvironment, catalog: Catalog
) -> NodeStartPlan:
    """Returns the first boot of a group, also of the login group: a node without the scripts would fail all jobs."""
    storage, slurm = environment.config.storage, environment.config.section(Slurm)
    has_lustre = storage is not None and storage.lustre is not None
    has_bucket = storage is not None and storage.checkpoint_bucket is not None
    has_cache = has_bucket and storage is not None and storage.compile_cache is not None
    has_teams = bool(environment.config.teams)
    efs = storage.efs if storage is not None else None
    access_points = tuple(point.name for point in efs.access_points) if efs is not None else ()
    row = known_instance_type(group)
    lnc = machine.logical_nc_config
    folders = (NODE_LUSTRE.folder,) if has_lustre else ()
    return NodeStartPlan(
        node=node_settings(
            row,
            slurm_commands=COMMANDS.format(version=slurm.version if slurm is not None else ""),
            logical_nc_config=lnc if lnc != row.default_logical_nc_config else None,
            efa_interfaces=sum(each.interface_type.startswith("efa") for each in machine.interfaces),
            mounts=(*folders, *(access_point_folder(name) for name in access_points)),
            compile_cache=_compile_cache(has_cache=has_cache, has_teams=has_teams),
            # Without a bucket the role has nothing that a job uses.
            has_closed_metadata=has_teams or not has_bucket,
        ),
        lnc_shell=build_lnc_shell(group, machine),
        has_lustre=has_lustre,
        lustre_package=_lustre_package(group, catalog) if has_lustre else None,
        access_points=access_points,
        efs_package=group.dlami.efs_client if group.dlami is not None else None,
        has_bucket=has_cache and not has_teams,
        users=_users(environment, f"{NODE_LUSTRE.folder}/{HOMES}" if has_lustre else f"/{HOMES}"),
    )


def _compile_cache(*, has_cache: bool, has_teams: bool) -> str:
    """Jobs of teams have no credentials, and a cache of all teams would run what another team wrote."""
    if has_teams:
        return CACHE_OF_USER
    return f"s3://{CHECKPOINT_BUCKET_NAME}/{COMPILE_CACHE_PREFIX.rstrip('/')}" if has_cache else ""


def _users(environment: ResolvedEnvironment, homes: str) -> tuple[PosixUser, ...]:
    """Returns one user for each team, in the order of the file."""
    names = ((posix_name(team.name), posix_id(team.name)) for team in environment.config.teams)
    return tuple(PosixUser(name, uid, f"{homes}/{name}") for name, uid in names)


def _lustre_package(group: SlurmGroup, catalog: Catalog) -> ClientPackage | None:
    client = catalog.lustre_clients.get(group.dlami.operating_system) if group.dlami is not None else None
    return client.package if client is not None else None
