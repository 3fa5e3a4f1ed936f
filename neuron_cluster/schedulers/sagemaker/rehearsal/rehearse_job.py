"""Runs a CreateTrainingJob request on this machine, and returns its outcome."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from neuron_cluster.checkpoints.newest_checkpoint import newest_checkpoint
from neuron_cluster.errors import ToolkitError
from neuron_cluster.findings.suggestions import did_you_mean_one_of
from neuron_cluster.rehearsal.fault import Fault
from neuron_cluster.rehearsal.isolated import require_support, run_isolated
from neuron_cluster.rehearsal.outcome import COMPLETED, UNFINISHED, Outcome, progress_of
from neuron_cluster.rehearsal.trainers import Trainer, trainer_of
from neuron_cluster.schedulers.sagemaker.launcher import arguments
from neuron_cluster.schedulers.sagemaker.rehearsal.contract import channels_of, command_of, host_names
from neuron_cluster.schedulers.sagemaker.rehearsal.job_faults import JOB_FAULTS
from neuron_cluster.schedulers.sagemaker.rehearsal.store import Store
from neuron_cluster.schedulers.sagemaker.rehearsal.training_job import (
    FAILED,
    End,
    Settings,
    TrainingJob,
    Transition,
)

ALWAYS_REPLACED = (
    "S3 is a folder of this machine; objects are copied in no time",
    "hosts are containers of this machine with the Python of this toolkit: the image is not pulled or used",
    "no EFA and no Neuron device: programs of the Neuron SDK find none",
    "times of the service are assumed: start, download, copies of checkpoints, new Spot instances",
    "IAM, VPC, KMS, quotas and prices are not evaluated",
)


class JobOutcome(Struct, frozen=True, kw_only=True):
    """``status`` and ``secondary_status`` as DescribeTrainingJob has them; ``outcome`` as other rehearsals.

    ``newest_checkpoint`` is the newest in S3 that is complete by its manifest. ``stand_ins`` are sentences: what a
    rehearsal has in the place of something.
    """

    job: str
    status: str
    secondary_status: str
    failure_reason: str
    transitions: tuple[Transition, ...]
    attempts: int
    newest_checkpoint: str | None
    stand_ins: tuple[str, ...]
    outcome: Outcome


def with_trainer(request: Mapping[str, Any], values: Mapping[str, Any]) -> dict[str, Any]:
    """The request with another trainer in the place of its own; ``values`` as ``trainers.values_of`` returns them."""
    trainer = values["trainer"]
    algorithm = {**request["AlgorithmSpecification"]}
    algorithm["ContainerArguments"] = list(arguments(trainer["program"], trainer["args"]))
    return {**request, "AlgorithmSpecification": algorithm}


def rehearse_job(
    request: Mapping[str, Any],
    store: Path,
    *,
    faults: Sequence[Fault] = (),
    settings: Settings | None = None,
    keep: Path | None = None,
    progress: Callable[[float, str], None] = lambda _at, _what: None,
    hourly_usd: float | None = None,
) -> JobOutcome:
    """Runs the job until it ends.

    ``store`` is a folder with a folder for each bucket: what is there is S3 when the job starts, and the job leaves
    its checkpoints and its output there. ``keep`` is a folder without content for logs and the disks of hosts; without
    one they are deleted. ``hourly_usd`` is the price of an instance.

    Raises ``ToolkitError`` where this machine cannot run containers, and for a request that cannot be rehearsed.
    """
    _check(request, faults)
    require_support()
    store.mkdir(parents=True, exist_ok=True)
    folder = keep if keep is not None else Path(tempfile.mkdtemp(prefix="neuron-cluster-rehearsal-"))
    folder.mkdir(parents=True, exist_ok=True)

    def work() -> bytes:
        job = TrainingJob(
            request,
            Store(store.resolve()),
            folder.resolve(),
            settings=settings or Settings(),
            faults=faults,
            progress=progress,
        )
        end = job.run()
        return msgspec.json.encode(_outcome(request, Store(store), job, end, hourly_usd))

    try:
        result = run_isolated(work)
    finally:
        if keep is None:
            shutil.rmtree(folder, ignore_errors=True)
    return msgspec.json.decode(result, type=JobOutcome)


def _check(request: Mapping[str, Any], faults: Sequence[Fault]) -> None:
    """Raises ``ToolkitError`` before anything runs."""
    host_names(request)
    command_of(request)
    for channel in channels_of(request):
        mode = channel.get("InputMode") or request["AlgorithmSpecification"].get("TrainingInputMode")
        if mode == "Pipe":
            raise ToolkitError(
                f"channel {channel['ChannelName']} with InputMode Pipe cannot be rehearsed", hint="use File or FastFile"
            )
    for fault in faults:
        if fault.name not in JOB_FAULTS:
            raise ToolkitError(
                f"{fault.name} is not a fault of a training job",
                hint=f"{did_you_mean_one_of(fault.name, JOB_FAULTS)}faults: {', '.join(JOB_FAULTS)}",
            )


def _outcome(
    request: Mapping[str, Any], store: Store, job: TrainingJob, end: End, hourly_usd: float | None
) -> JobOutcome:
    events = tuple(job.run_of_hosts.timeline.events)
    trainer = trainer_of(request["AlgorithmSpecification"].get("ContainerArguments"))
    hours = sum(use.ended_at - use.started_at for use in job.instances) / 3600
    ended = {COMPLETED: COMPLETED, FAILED: FAILED}.get(end.status, UNFINISHED)
    return JobOutcome(
        job=str(request["TrainingJobName"]),
        status=end.status,
        secondary_status=end.secondary,
        failure_reason=end.reason if end.status == FAILED else "",
        transitions=tuple(job.transitions),
        attempts=job.attempts,
        newest_checkpoint=newest_checkpoint(store.path(str(request["CheckpointConfig"]["S3Uri"])))
        if "CheckpointConfig" in request
        else None,
        stand_ins=tuple(_stand_ins(request, trainer)),
        outcome=Outcome(
            ended=ended,
            why=end.reason or ("" if ended == COMPLETED else end.secondary),
            seconds=round(job.run_of_hosts.clock.now(), 1),
            progress=progress_of(events) if any(event.reason in ("Resumed", "Step") for event in events) else None,
            requests=None,
            counted_restarts=0,
            uncounted_restarts=job.attempts - 1,
            nodes=tuple(job.instances),
            usd=None if hourly_usd is None else round(hours * hourly_usd, 2),
            events=events,
            trainer=trainer,
            not_modelled=tuple(_not_modelled(request)),
            missed_faults=tuple(job.run_of_hosts.faults.missed),
            replaced_programs=tuple(sorted(job.run_of_hosts.programs.replaced)),
        ),
    )


def _stand_ins(request: Mapping[str, Any], trainer: Trainer | None) -> list[str]:
    channels = channels_of(request)
    shared = [channel["ChannelName"] for channel in channels if "FileSystemDataSource" in channel["DataSource"]]
    return [
        *ALWAYS_REPLACED,
        *(f"the file system of channel {name} is a folder of this machine" for name in shared),
        *([f"the training program is {trainer} of `workload rehearse`, on CPUs"] if trainer is not None else []),
    ]


def _not_modelled(request: Mapping[str, Any]) -> list[str]:
    """Parts of the request that have no effect here."""
    resources = request["ResourceConfig"]
    found = [key for key in ("TrainingPlanArn", "KeepAlivePeriodInSeconds") if key in resources]
    return [*found, *(key for key in ("VpcConfig", "DebugHookConfig", "ProfilerConfig") if key in request)]
