"""A job of Slurm as its rehearsal needs it: script, nodes, limits, and options that have no effect here."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator, Mapping

from msgspec import Struct

from neuron_cluster.bootstrap.mounts import NODE_LUSTRE
from neuron_cluster.schedulers.slurm import time_limit
from neuron_cluster.schedulers.slurm.jobs.frameworks import job_host, python_environment
from neuron_cluster.schedulers.slurm.jobs.known_jobs import CHECKPOINTS
from neuron_cluster.schedulers.slurm.jobs.render import PlacedJob
from neuron_cluster.schedulers.slurm.jobs.time_findings import DEFAULT_NOTICE_SECONDS, DEFAULT_TIME, MAX_TIME
from neuron_cluster.schedulers.slurm.jobs.workload import SlurmPlacement
from neuron_cluster.schedulers.slurm.rehearsal.nodes import NodeSpec

USER = "root"
"""The user of jobs where the catalog does not have the machine image."""
REQUEUE, NO_REQUEUE, SIGNAL, FOLDER = "--requeue", "--no-requeue", "--signal", "--chdir"
MODELLED = frozenset(
    {
        *("--cpus-per-gpu", "--exclusive", "--gpus-per-node", "--job-name", "--mem", "--mem-per-gpu", "--nodes"),
        *("--ntasks-per-node", "--open-mode", "--output", "--partition", "--propagate", "--time"),
        *(REQUEUE, NO_REQUEUE, SIGNAL, FOLDER),
    }
)
"""Options of sbatch that have their effect here, or none on the course of a job."""
TERMINATION = frozenset({"TERM", "SIGTERM", "15"})
_SIGNAL = re.compile(r"(?P<batch>B:)?(?P<name>[A-Za-z0-9]+)(@(?P<seconds>[0-9]+))?")


class Notice(Struct, frozen=True):
    """SIGTERM ``seconds`` before the time limit, to the job script or, without ``to_script``, to the tasks."""

    seconds: float
    to_script: bool


class JobSpec(Struct, frozen=True, kw_only=True):
    """A job as sbatch accepts it."""

    name: str
    script: str
    queue: str
    user: str
    node_names: tuple[str, ...]
    node: NodeSpec
    limit: float | None
    """Seconds of one attempt; None: no limit."""
    notice: Notice | None
    may_be_requeued: bool
    recovery_times: tuple[str, ...]
    """Rows of ``controller_timings`` until an instance takes the place of a lost one; empty: none does."""
    checkpoints: str | None
    """Folder of the checkpoints; None where it is below no folder that the nodes share."""
    not_modelled: tuple[str, ...]


def job_spec(made: SlurmPlacement, script: str) -> JobSpec:
    """The job of a rendered script."""
    placed = made.placed
    group, queue, options = placed.placement.group, placed.placement.queue, placed.in_script
    names = group.physical_name if group.has_numbered_nodes else group.name
    limit = options.get("--time") or queue.settings.get(DEFAULT_TIME) or queue.settings.get(MAX_TIME) or ""
    mounts = group.start.node.mounts
    checkpoints = posixpath.normpath(placed.options.variables.get(CHECKPOINTS, "."))
    are_shared = any(_is_below(checkpoints, mount) for mount in mounts)
    return JobSpec(
        name=placed.job.name,
        script=script,
        queue=queue.name,
        user=placed.slurm.login.start.image_user or USER,
        node_names=tuple(f"{names}-{number}" for number in range(1, placed.placement.nodes + 1)),
        node=NodeSpec(
            settings=group.start.node,
            devices=placed.placement.devices,
            shared=mounts,
            environment_folder=_environment_folder(made),
            working_folder=_working_folder(placed),
        ),
        limit=time_limit.seconds(limit),
        notice=_notice(options.get(SIGNAL, "")),
        may_be_requeued=REQUEUE in options and NO_REQUEUE not in options,
        recovery_times=tuple(placed.slurm.recovery_times),
        checkpoints=checkpoints if are_shared else None,
        not_modelled=(*_not_modelled(options), *(() if are_shared else _on_each_node(placed, checkpoints))),
    )


def _environment_folder(made: SlurmPlacement) -> str:
    """Folder of the Python environment of the machine image; empty without one."""
    placed = made.placed
    host = job_host(placed.placement.group, placed.plan, placed.slurm, made.catalog)
    return python_environment(placed.job, host, placed.options) or ""


def _working_folder(placed: PlacedJob) -> str:
    has_lustre = placed.placement.group.start.has_lustre
    return placed.in_script.get(FOLDER) or (NODE_LUSTRE.folder if has_lustre else "")


def _notice(text: str) -> Notice | None:
    """None for another signal than SIGTERM."""
    found = _SIGNAL.fullmatch(text)
    if found is None or found["name"].upper() not in TERMINATION:
        return None
    return Notice(float(found["seconds"] or DEFAULT_NOTICE_SECONDS), to_script=bool(found["batch"]))


def _not_modelled(options: Mapping[str, str]) -> Iterator[str]:
    for name, value in options.items():
        if name not in MODELLED or (name == SIGNAL and _notice(value) is None):
            yield f"{name}={value}" if value else name


def _on_each_node(placed: PlacedJob, checkpoints: str) -> Iterator[str]:
    if placed.placement.nodes > 1:
        yield f"{CHECKPOINTS} {checkpoints}: on the disk of each node, no file system of the plan is mounted there"


def _is_below(path: str, mount: str) -> bool:
    return path == mount or path.startswith(f"{mount.rstrip('/')}/")
