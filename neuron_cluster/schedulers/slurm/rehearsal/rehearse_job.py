"""Runs a job of Slurm on this machine, and returns its outcome."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Callable
from pathlib import Path

import msgspec
from msgspec import Struct

from neuron_cluster.catalog.catalog import Catalog
from neuron_cluster.checkpoints.newest_checkpoint import newest_checkpoint
from neuron_cluster.rehearsal.cluster.world import Seconds
from neuron_cluster.rehearsal.given_files import put
from neuron_cluster.rehearsal.isolated import require_support, run_isolated
from neuron_cluster.rehearsal.outcome import COMPLETED, FAILED, UNFINISHED, Outcome, progress_of
from neuron_cluster.rehearsal.planned_faults import Middle
from neuron_cluster.rehearsal.rehearsal_plan import Request
from neuron_cluster.rehearsal.trainers import trainer_of
from neuron_cluster.schedulers.slurm.jobs.known_jobs import CHECKPOINTS
from neuron_cluster.schedulers.slurm.jobs.workload import SlurmPlacement
from neuron_cluster.schedulers.slurm.rehearsal import slurm_job
from neuron_cluster.schedulers.slurm.rehearsal.nodes import shared_folder
from neuron_cluster.schedulers.slurm.rehearsal.slurm_job import End, JobSpec, SlurmJob

ALWAYS_REPLACED = (
    "slurmctld, slurmd and srun are this program: it starts the job at once, and one task on each node",
    "nodes are containers of this machine with the Python of this toolkit: the machine image is not used",
    "each task has a /tmp of its own, and users have no home directory",
    "no EFA and no Neuron device: programs of the Neuron SDK find none",
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
    made: SlurmPlacement,
    request: Request,
    catalog: Catalog,
    keep: Path | None,
    progress: Callable[[float, str], None],
) -> SlurmOutcome:
    """Runs it in namespaces of its own. Raises ``ToolkitError`` where this machine cannot."""
    require_support()
    folder = keep if keep is not None else Path(tempfile.mkdtemp(prefix="neuron-cluster-rehearsal-"))
    folder.mkdir(parents=True, exist_ok=True)

    trainer = trainer_of(list(made.placed.options.arguments))

    def work() -> bytes:
        roots = {each.strip("/").partition("/")[0] for each in spec.node.shared}
        for root in roots:
            shared_folder(folder, root).mkdir(parents=True)
        put(request.files, {root: shared_folder(folder, root) for root in roots}, folder)
        job = SlurmJob(
            spec,
            folder.resolve(),
            seconds=Seconds(catalog.controller_timings.by_name, request.seconds),
            variables={"REHEARSAL_RANKS": str(request.ranks)},
            faults=request.faults,
            middle=Middle(step=max(1, request.steps // 2)) if trainer is not None else Middle(),
            progress=progress,
        )
        return msgspec.json.encode(_outcome(job, job.run(), made, request, folder))

    try:
        result = run_isolated(work)
    finally:
        if keep is None:
            shutil.rmtree(folder, ignore_errors=True)
    return msgspec.json.decode(result, type=SlurmOutcome)


def _outcome(job: SlurmJob, end: End, made: SlurmPlacement, request: Request, folder: Path) -> SlurmOutcome:
    run, options = job.run_of_hosts, made.placed.options
    events = tuple(run.timeline.events)
    trainer = trainer_of(list(options.arguments))
    hours = sum(use.ended_at - use.started_at for use in job.instances) / 3600
    hourly_usd = made.placed.placement.group.machine.hourly_usd
    ended = {slurm_job.COMPLETED: COMPLETED, slurm_job.FAILED: FAILED}.get(end.state, UNFINISHED)
    checkpoints = options.variables.get(CHECKPOINTS, "")
    return SlurmOutcome(
        state=end.state,
        reason=end.reason,
        restarts=job.attempts - 1,
        newest_checkpoint=newest_checkpoint(shared_folder(folder, checkpoints)) if checkpoints else None,
        stand_ins=(
            *ALWAYS_REPLACED,
            *([f"the training program is {trainer} of `workload rehearse`, on CPUs"] if trainer is not None else []),
        ),
        outcome=Outcome(
            ended=ended,
            why="" if ended == COMPLETED else end.reason,
            seconds=round(run.clock.now(), 1),
            progress=progress_of(events) if any(event.reason in ("Resumed", "Step") for event in events) else None,
            requests=None,
            counted_restarts=0,
            uncounted_restarts=job.attempts - 1,
            nodes=tuple(job.instances),
            usd=None if hourly_usd is None else round(hours * hourly_usd, 2),
            events=events,
            trainer=trainer,
            not_modelled=tuple(job.refused),
            missed_faults=tuple(run.faults.missed),
            replaced_programs=tuple(sorted(run.programs.replaced)),
            files=tuple(map(str, request.files)),
        ),
    )
