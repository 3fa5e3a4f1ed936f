"""Reads the part of a node in a job from its environment, which a chart or a SageMaker request has set."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from attempts import Limits
from manifest_writer import SDK
from resume import CheckpointOptions, Checksums, WithoutManifest

# Open MPI sets it for each process that it starts.
MPI_RANK = "OMPI_COMM_WORLD_RANK"


class FrontEnd(StrEnum):
    """Who starts the ranks of a node: torchrun one process a core, JAX one process a node."""

    TORCHTITAN = "torchtitan"
    NXD = "nxd"
    JAX = "jax"


@dataclass(frozen=True, slots=True, kw_only=True)
class CacheOptions:
    """Of the compile cache. ``folder`` is None without a claim, ``stale_lock_minutes`` 0 where locks stay."""

    folder: Path | None
    retries_failed: bool
    stale_lock_minutes: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Job:
    """One pod's part. Times in seconds. The folders are None without a shared checkpoint volume.

    ``run`` is the id of the JobSet, "" where the controller gives none; ``restarts`` are its own, None under mpirun.
    ``folder_per_node``: of ``checkpoint_folder`` each of several nodes has its own (node_folders.py).
    """

    front_end: FrontEnd
    nodes: int
    node_rank: int
    cores: int
    master_host: str
    master_port: int
    root_communication_port: int
    topology_port: int
    ultraserver_size: int
    start_timeout_seconds: int
    grace_seconds: int
    silent_seconds: int
    stop_signal: str
    stop_folder: Path | None
    checkpoint_folder: Path | None
    folder_per_node: bool
    run: str
    restarts: int | None
    cache: CacheOptions
    checkpoints: CheckpointOptions
    limits: Limits
    pod: str
    under_mpirun: bool


def node_rank(environment: Mapping[str, str]) -> int:
    """The place of this pod among all: from mpirun, or from the indexes of a JobSet's Job and of the pod in it."""
    if MPI_RANK in environment:
        return int(environment[MPI_RANK])
    in_job = int(environment["JOB_COMPLETION_INDEX"])
    return int(environment["TRAINING_JOB_INDEX"]) * int(environment["TRAINING_NODES_PER_JOB"]) + in_job


def folder_of(environment: Mapping[str, str], name: str) -> Path | None:
    path = environment.get(name)
    return Path(path) if path else None


def has_folder_per_node(environment: Mapping[str, str]) -> bool:
    """One node alone sees all files of its checkpoints."""
    is_one_of_several = int(environment["TRAINING_NODES"]) > 1 and "CHECKPOINT_DIRECTORY" in environment
    return is_one_of_several and environment.get("TRAINING_FOLDER_PER_NODE") == "true"


def read_limits(environment: Mapping[str, str]) -> Limits:
    return Limits(
        losses=int(environment["TRAINING_MAX_LOSSES"]),
        without_checkpoint=int(environment["TRAINING_MAX_WITHOUT_CHECKPOINT"]),
    )


def read_checkpoint_options(environment: Mapping[str, str]) -> CheckpointOptions:
    release = SDK.search(environment["TRAINING_IMAGE"])
    return CheckpointOptions(
        without_manifest=WithoutManifest(environment["TRAINING_WITHOUT_MANIFEST"]),
        checksums=Checksums(environment["TRAINING_CHECKSUMS"]),
        sdk=release[1] if release else "",
    )


def read_job(environment: Mapping[str, str] = os.environ) -> Job:
    """The job as templates/_pod.tpl writes it. Raises KeyError for a variable that is missing."""
    return Job(
        front_end=FrontEnd(environment["TRAINING_FRONT_END"]),
        nodes=int(environment["TRAINING_NODES"]),
        node_rank=node_rank(environment),
        cores=int(environment["TRAINING_CORES"]),
        master_host=environment["TRAINING_MASTER_HOST"],
        master_port=int(environment["TRAINING_MASTER_PORT"]),
        root_communication_port=int(environment["TRAINING_ROOT_COMMUNICATION_PORT"]),
        topology_port=int(environment["TRAINING_TOPOLOGY_PORT"]),
        ultraserver_size=int(environment["TRAINING_ULTRASERVER_SIZE"]),
        start_timeout_seconds=int(environment["TRAINING_START_TIMEOUT_SECONDS"]),
        grace_seconds=int(environment["TRAINING_GRACE_SECONDS"]),
        silent_seconds=int(environment["TRAINING_SILENT_SECONDS"]),
        stop_signal=environment["TRAINING_STOP_SIGNAL"],
        stop_folder=folder_of(environment, "TRAINING_STOP_FOLDER"),
        checkpoint_folder=folder_of(environment, "CHECKPOINT_DIRECTORY"),
        folder_per_node=has_folder_per_node(environment),
        run=environment.get("TRAINING_RUN", ""),
        restarts=None if MPI_RANK in environment else int(environment["TRAINING_RESTARTS"] or 0),
        cache=CacheOptions(
            folder=folder_of(environment, "TRAINING_CACHE_FOLDER"),
            retries_failed=environment["TRAINING_RETRY_FAILED_GRAPHS"] == "true",
            stale_lock_minutes=int(environment["TRAINING_STALE_LOCK_MINUTES"]),
        ),
        checkpoints=read_checkpoint_options(environment),
        limits=read_limits(environment),
        pod=environment["HOSTNAME"],
        under_mpirun=MPI_RANK in environment,
    )
