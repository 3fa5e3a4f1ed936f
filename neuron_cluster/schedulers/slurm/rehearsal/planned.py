"""The rehearsal of a training job of Slurm by its name."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from neuron_cluster.errors import ToolkitError
from neuron_cluster.findings.finding import has_error
from neuron_cluster.findings.suggestions import did_you_mean_one_of
from neuron_cluster.protocol.workload import Workload
from neuron_cluster.rehearsal.given_files import require_claims
from neuron_cluster.rehearsal.rehearsal_plan import PlannedRehearsal, Ran, Request
from neuron_cluster.schedulers.slurm.jobs.workload import SlurmPlacement, place_workload, render_workload
from neuron_cluster.schedulers.slurm.rehearsal.job_spec import job_spec
from neuron_cluster.schedulers.slurm.rehearsal.rehearse_job import SlurmOutcome, rehearse_job
from neuron_cluster.schedulers.slurm.rehearsal.slurm_job import TIMES

if TYPE_CHECKING:
    from neuron_cluster.protocol.scheduler import Environment

REHEARSED = ("train-jax", "train-torchrun")


def planned_rehearsal(
    environment: Environment, name: str, values: Mapping[str, Any], request: Request
) -> PlannedRehearsal:
    """Raises ``ToolkitError`` for a job that does not train, for files of other places than shared folders, and for
    times of other schedulers."""
    if name not in REHEARSED:
        raise ToolkitError(
            f"{name} is a job of Slurm that cannot be rehearsed", hint=f"jobs that can be: {', '.join(REHEARSED)}"
        )
    _require_own_times(request)
    plan, catalog = environment.plan, environment.catalog
    given = {**values, "time": request.time_limit, "arguments": tuple(values["arguments"]) or _arguments(request)}
    placed = place_workload(Workload(name=name), plan, given, catalog)
    if not isinstance(placed, SlurmPlacement):
        return PlannedRehearsal(name=f"{name} of {plan.name}", plan=None, findings=placed)
    rendered = render_workload(placed)
    title = f"{name} on {placed.group} of {plan.name}"
    if has_error(rendered.findings):
        return PlannedRehearsal(name=title, plan=None, findings=rendered.findings)
    spec = job_spec(placed, rendered.text)
    require_claims(request.files, {mount.strip("/").partition("/")[0] for mount in spec.node.shared}, "folder")
    if buckets := [str(file) for file in request.files if file.is_object]:
        raise ToolkitError(
            f"--file {buckets[0]}: no program of a rehearsed job of Slurm reads a bucket",
            hint="put the file into a folder that the nodes mount",
        )

    def run(keep: Path | None, progress: Callable[[float, str], None]) -> Ran:
        return _ran(rehearse_job(spec, placed, request, catalog, keep, progress))

    return PlannedRehearsal(name=title, plan=None, findings=rendered.findings, run=run)


def _require_own_times(request: Request) -> None:
    for name in request.seconds:
        if name not in TIMES:
            near = did_you_mean_one_of(name, TIMES)
            raise ToolkitError(
                f"--time {name}: it has no effect on a job of Slurm", hint=f"{near}times: {', '.join(TIMES)}"
            )


def _arguments(request: Request) -> tuple[str, ...]:
    """The trainer of rehearsals, with its options."""
    trainer = request.trainer_values["trainer"]
    return (*trainer["program"], *trainer["args"])


def _ran(job: SlurmOutcome) -> Ran:
    facts = (
        ("state", f"{job.state}{f': {job.reason}' if job.reason else ''}"),
        ("newest checkpoint", job.newest_checkpoint or "none"),
        *(("replaced", sentence) for sentence in job.stand_ins),
    )
    document = {key: value for key, value in msgspec.to_builtins(job).items() if key != "outcome"}
    return Ran(outcome=job.outcome, document={"slurm_job": document}, facts=facts)
