"""Runs a job of Slurm on this machine, and returns its outcome."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import msgspec
from msgspec import Struct

from neuron_cluster.catalog.catalog import Catalog
from neuron_cluster.checkpoints.newest_checkpoint import newest_checkpoint
from neuron_cluster.rehearsal.cluster.world import Seconds
from neuron_cluster.rehearsal.given_files import put
from neuron_cluster.rehearsal.host_outcome import NO_DEVICES, host_outcome, run_in_folder, trainer_words
from neuron_cluster.rehearsal.outcome import COMPLETED, FAILED, UNFINISHED, Outcome
from neuron_cluster.rehearsal.planned_faults import Middle
from neuron_cluster.rehearsal.rehearsal_plan import Request
from neuron_cluster.rehearsal.trainers import Trainer, trainer_of
from neuron_cluster.schedulers.slurm.jobs.workload import SlurmPlacement
from neuron_cluster.schedulers.slurm.rehearsal import slurm_job
from neuron_cluster.schedulers.slurm.rehearsal.job_spec import JobSpec
from neuron_cluster.schedulers.slurm.rehearsal.nodes import shared_folder
from neuron_cluster.schedulers.slurm.rehearsal.slurm_job import End, SlurmJob

HOUR, LONGEST_HOURS = 3600, 24
ALWAYS_REPLACED = (
    "slurmctld, slurmd and srun are this program: it starts the job at once, and one task on each node",
    "nodes are containers of this machine with the Python of this toolkit: the machine image is not used",
    "folders that nodes do not share end with each task, and users have no home directory",
    NO_DEVICES,
    "prolog, epilog, health check, cgroups and accounting do not run; the task prolog does",
)


class SlurmOutcome(Struct, frozen=True, kw_only=True):
    """``state`` as `scontrol show job` has it; ``newest_checkpoint`` is the newest complete one by its manifest."""

    state: str
    reason: str
    restarts: int
    newest_checkpoint: str | None
    stand_ins: tuple[str, ...]
    outcome: Outcome


def rehearse_job(
    spec: JobSpec,
    placement: SlurmPlacement,
    request: Request,
    catalog: Catalog,
    keep: Path | None,
    progress: Callable[[float, str], None],
) -> SlurmOutcome:
    """Raises ``ToolkitError`` where this machine cannot run containers, and for a file that cannot be copied."""
    trainer = trainer_of(list(placement.placed.options.arguments))

    def work(folder: Path) -> bytes:
        job = SlurmJob(
            spec,
            folder,
            seconds=Seconds(catalog.controller_timings.by_name, request.seconds),
            longest_seconds=(request.limit_hours or LONGEST_HOURS) * HOUR,
            variables={"REHEARSAL_RANKS": str(request.ranks)},
            faults=request.faults,
            middle=Middle(step=max(1, request.steps // 2)) if trainer is not None else Middle(),
            progress=progress,
        )
        return msgspec.json.encode(_outcome(job, job.run(), spec, placement, trainer, request))

    return msgspec.json.decode(
        run_in_folder(keep, work, lambda folder: _fill(spec, request, folder)), type=SlurmOutcome
    )


def _fill(spec: JobSpec, request: Request, folder: Path) -> None:
    """The folders that nodes share, with the files of the command line."""
    roots = {mount.strip("/").partition("/")[0] for mount in spec.node.shared}
    for root in roots:
        shared_folder(folder, root).mkdir(parents=True)
    put(request.files, {root: shared_folder(folder, root) for root in roots}, folder)


def _outcome(
    job: SlurmJob, end: End, spec: JobSpec, placement: SlurmPlacement, trainer: Trainer | None, request: Request
) -> SlurmOutcome:
    folder = shared_folder(job.folder, spec.checkpoints) if spec.checkpoints is not None else None
    return SlurmOutcome(
        state=end.state,
        reason=end.reason,
        restarts=job.attempts - 1,
        newest_checkpoint=newest_checkpoint(folder) if folder is not None else None,
        stand_ins=(*ALWAYS_REPLACED, *trainer_words(trainer)),
        outcome=host_outcome(
            job.run_of_hosts,
            ended={slurm_job.COMPLETED: COMPLETED, slurm_job.FAILED: FAILED}.get(end.state, UNFINISHED),
            why=end.reason,
            attempts=job.attempts,
            instances=job.instances,
            hourly_usd=placement.placed.placement.group.machine.hourly_usd,
            trainer=trainer,
            not_modelled=(*spec.not_modelled, *job.refused),
            files=request.files,
        ),
    )
