"""The rehearsal of a training job of Slurm by its name."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from neuron_cluster.bootstrap.mounts import NODE_LUSTRE
from neuron_cluster.errors import ToolkitError
from neuron_cluster.findings.finding import has_error
from neuron_cluster.protocol.workload import Workload
from neuron_cluster.rehearsal.given_files import require_claims
from neuron_cluster.rehearsal.rehearsal_plan import PlannedRehearsal, Ran, Request
from neuron_cluster.schedulers.slurm import time_limit
from neuron_cluster.schedulers.slurm.jobs.frameworks import job_host, python_environment
from neuron_cluster.schedulers.slurm.jobs.render import PlacedJob
from neuron_cluster.schedulers.slurm.jobs.workload import SlurmPlacement, place_workload, render_workload
from neuron_cluster.schedulers.slurm.rehearsal.nodes import NodeSpec
from neuron_cluster.schedulers.slurm.rehearsal.rehearse_job import SlurmOutcome, rehearse_job
from neuron_cluster.schedulers.slurm.rehearsal.slurm_job import JobSpec

if TYPE_CHECKING:
    from neuron_cluster.protocol.scheduler import Environment

REHEARSED = ("train-jax", "train-torchrun")
USER = "root"
"""Of a machine image that the catalog does not have."""
LOCAL_FOLDER = "/tmp"  # noqa: S108  of the container, which ends with it


def planned_rehearsal(
    environment: Environment, name: str, values: Mapping[str, Any], request: Request
) -> PlannedRehearsal:
    """Raises ``ToolkitError`` for a job that does not train, and for files of other places than shared folders."""
    if name not in REHEARSED:
        raise ToolkitError(
            f"{name} is a job of Slurm that cannot be rehearsed", hint=f"jobs that can be: {', '.join(REHEARSED)}"
        )
    plan, catalog = environment.plan, environment.catalog
    limit = f"{request.limit_hours}:00:00" if request.limit_hours is not None else None
    arguments = tuple(values["arguments"]) or _arguments(request)
    placed = place_workload(Workload(name=name), plan, {**values, "time": limit, "arguments": arguments}, catalog)
    if not isinstance(placed, SlurmPlacement):
        return PlannedRehearsal(name=f"{name} of {plan.name}", plan=None, findings=placed)
    rendered = render_workload(placed)
    title = f"{name} on {placed.group} of {plan.name}"
    if has_error(rendered.findings):
        return PlannedRehearsal(name=title, plan=None, findings=rendered.findings)
    spec = _job_spec(placed, rendered.text)
    shared = sorted(each.strip("/") for each in spec.node.shared)
    require_claims(request.files, {each.partition("/")[0] for each in shared}, "folder")

    def run(keep: Path | None, progress: Callable[[float, str], None]) -> Ran:
        return _ran(rehearse_job(spec, placed, request, catalog, keep, progress))

    return PlannedRehearsal(name=title, plan=None, findings=rendered.findings, run=run)


def _arguments(request: Request) -> tuple[str, ...]:
    """The trainer of rehearsals, with its options."""
    trainer = request.trainer_values["trainer"]
    return (*trainer["program"], *trainer["args"])


def _job_spec(made: SlurmPlacement, script: str) -> JobSpec:
    placed = made.placed
    group, queue = placed.placement.group, placed.placement.queue
    names = group.physical_name if group.has_numbered_nodes else group.name
    requested = placed.in_script.get("--time") or queue.settings.get("DefaultTime") or queue.settings.get("MaxTime")
    host = job_host(group, placed.plan, placed.slurm, made.catalog)
    return JobSpec(
        name=placed.job.name,
        script=script,
        queue=queue.name,
        user=placed.slurm.login.start.image_user or USER,
        node_names=tuple(f"{names}-{number}" for number in range(1, placed.placement.nodes + 1)),
        node=NodeSpec(
            settings=group.start.node,
            devices=placed.placement.devices,
            shared=group.start.node.mounts,
            environment_folder=python_environment(placed.job, host, placed.options) or "",
            working_folder=_working_folder(placed),
        ),
        limit=time_limit.seconds(requested) if requested else None,
        signal_before_limit=_signal_before(placed.in_script.get("--signal", "")),
        is_requeued="--requeue" in placed.in_script,
    )


def _working_folder(placed: PlacedJob) -> str:
    given = placed.in_script.get("--chdir")
    has_lustre = placed.placement.group.start.has_lustre
    return given or (NODE_LUSTRE.folder if has_lustre else LOCAL_FOLDER)


def _signal_before(text: str) -> float | None:
    """Seconds of ``B:TERM@900``; None for another signal, and for one of the steps."""
    name, _, seconds = text.partition("@")
    return float(seconds) if name == "B:TERM" and seconds.isdecimal() else None


def _ran(job: SlurmOutcome) -> Ran:
    facts = (
        ("state", f"{job.state}{f': {job.reason}' if job.reason else ''}"),
        ("newest checkpoint", job.newest_checkpoint or "none"),
        *(("replaced", each) for each in job.stand_ins),
    )
    document = {key: value for key, value in msgspec.to_builtins(job).items() if key != "outcome"}
    return Ran(outcome=job.outcome, document={"slurm_job": document}, facts=facts)
