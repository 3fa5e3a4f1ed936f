"""Decisions about the start of a node that follow from storage and teams, whichever provider runs it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from neuron_cluster.bootstrap.mounts import NODE_LUSTRE
from neuron_cluster.plan.addon_plan import CHECKPOINT_BUCKET_NAME
from neuron_cluster.plan.compile_cache_plan import COMPILE_CACHE_PREFIX
from neuron_cluster.schedulers.slurm.node_start_plan import PosixUser
from neuron_cluster.schedulers.slurm.posix_users import posix_id, posix_name

if TYPE_CHECKING:
    from neuron_cluster.config.environment_config import EnvironmentConfig

HOMES = "home"
"""Folder of home directories, on the shared file system where there is one."""
CACHE_OF_USER = "~/neuron-compile-cache"
"""The compile cache where there are teams. The default of the compiler is one folder of the node for all users."""


def has_lustre(config: EnvironmentConfig) -> bool:
    """Whether nodes mount a Lustre file system."""
    return config.storage is not None and config.storage.lustre is not None


def has_closed_metadata(config: EnvironmentConfig) -> bool:
    """Whether root alone reaches the instance metadata: without a bucket the role has nothing that a job uses."""
    has_bucket = config.storage is not None and config.storage.checkpoint_bucket is not None
    return bool(config.teams) or not has_bucket


def uses_bucket(config: EnvironmentConfig) -> bool:
    """Whether jobs have their compile cache in the checkpoint bucket."""
    storage = config.storage
    has_cache = storage is not None and storage.checkpoint_bucket is not None and storage.compile_cache is not None
    return has_cache and not config.teams


def compile_cache(config: EnvironmentConfig) -> str:
    """Returns the address of the compile cache of jobs; empty without one.

    Jobs of teams have no credentials, and a cache of all teams would run what another team wrote.
    """
    if config.teams:
        return CACHE_OF_USER
    return f"s3://{CHECKPOINT_BUCKET_NAME}/{COMPILE_CACHE_PREFIX.rstrip('/')}" if uses_bucket(config) else ""


def team_users(config: EnvironmentConfig) -> tuple[PosixUser, ...]:
    """Returns one user for each team, in the order of the file."""
    homes = f"{NODE_LUSTRE.folder}/{HOMES}" if has_lustre(config) else f"/{HOMES}"
    names = ((posix_name(team.name), posix_id(team.name)) for team in config.teams)
    return tuple(PosixUser(name, uid, f"{homes}/{name}") for name, uid in names)
