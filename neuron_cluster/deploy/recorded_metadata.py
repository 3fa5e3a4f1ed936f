"""The lock records whether the deployed Lustre file system has a metadata configuration, which never changes."""

from __future__ import annotations

from pathlib import Path

from msgspec.structs import replace

from neuron_cluster.deploy.deployed_metadata import deployed_metadata
from neuron_cluster.deploy.destination import Destination
from neuron_cluster.lock.model import Lock
from neuron_cluster.lock.paths import local_locks, lock_command, lock_path, locks_beside
from neuron_cluster.lock.tree import LUSTRE_METADATA
from neuron_cluster.lock.writer import lock_text, sources_in, write_lock
from neuron_cluster.opened_environment import OpenedEnvironment
from neuron_cluster.plan.core_stacks import STORAGE
from neuron_cluster.plan.storage_plan import MetadataSource


def with_recorded_metadata(
    opened: OpenedEnvironment, destination: Destination, locks: Path | None = None
) -> OpenedEnvironment:
    """The environment with a lock that records what is deployed; the same one where its lock and file have it already.

    Writes the lock to ``locks`` (default: where the environment has it, for the local AWS the folder of its locks).
    """
    lock = _lock_of_deployed(opened, destination)
    if lock is None:
        return opened

    if locks is None:
        locks = local_locks(opened.project.root) if destination.is_local else locks_beside(opened.file.path)
    _write(opened, lock, locks)
    return opened.reopened(locks)


def _lock_of_deployed(opened: OpenedEnvironment, destination: Destination) -> Lock | None:
    """The lock that must be written; None where it stays."""
    plan = opened.plan
    lustre = plan.storage.lustre if plan.storage is not None else None
    if lustre is None or not lustre.takes_metadata or lustre.metadata_source is MetadataSource.FILE:
        return None
    recorded = opened.lock.lustre_metadata if opened.lock is not None else None
    found = deployed_metadata(destination.target, plan.stack_name(STORAGE.stack_key))
    if found is None and destination.is_local:  # the lock may be that of AWS, which this deploy tries out
        return None
    wanted = found if found == "none" or recorded is not None else None
    if wanted == recorded:
        return None
    return replace(opened.lock or Lock(plan.name, plan.account, plan.region, None), lustre_metadata=wanted)


def _write(opened: OpenedEnvironment, lock: Lock, locks: Path) -> None:
    """Every other entry and its source stay as they are."""
    before = lock_path(opened.locks, opened.plan.name)
    sources = sources_in(before.read_text("utf-8")) if before.is_file() else {}
    sources[LUSTRE_METADATA] = "fsx:DescribeFileSystems, of the deployed file system; recorded by `deploy`"
    again = lock_command(opened.file.display_name, locks)
    write_lock(lock_path(locks, opened.plan.name), lock_text(lock, sources, again))
