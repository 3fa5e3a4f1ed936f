"""Runs a CreateTrainingJob request on this machine, and returns its outcome."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from neuron_cluster.checkpoints.newest_checkpoint import newest_checkpoint
from neuron_cluster.errors import ToolkitError
from neuron_cluster.findings.suggestions import did_you_mean_one_of
from neuron_cluster.rehearsal.fault import Fault
from neuron_cluster.rehearsal.host_outcome import NO_DEVICES, host_outcome, run_in_folder, trainer_words
from neuron_cluster.rehearsal.outcome import COMPLETED, UNFINISHED, Outcome
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
    NO_DEVICES,
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
    files: Sequence[object] = (),
) -> JobOutcome:
    """Runs the job until it ends.

    ``store`` is a folder with a folder for each bucket: what is there is S3 when the job starts, and the job leaves
    its checkpoints and its output there. ``keep`` is a folder without content for logs and the disks of hosts; without
    one they are deleted. ``hourly_usd`` is the price of an instance; ``files`` are those that the store was given.

    Raises ``ToolkitError`` where this machine cannot run containers, and for a request that cannot be rehearsed.
    """
    _check(request, faults)
    store.mkdir(parents=True, exist_ok=True)

    def work(folder: Path) -> bytes:
        job = TrainingJob(
            request,
            Store(store.resolve()),
            folder,
            settings=settings or Settings(),
            faults=faults,
            progress=progress,
        )
        return msgspec.json.encode(_outcome(request, Store(store), job, job.run(), hourly_usd, files))

    return msgspec.json.decode(run_in_folder(keep, work), type=JobOutcome)


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
    request: Mapping[str, Any],
    store: Store,
    job: TrainingJob,
    end: End,
    hourly_usd: float | None,
    files: Sequence[object],
) -> JobOutcome:
    trainer = trainer_of(request["AlgorithmSpecification"].get("ContainerArguments"))
    prefix = str(request["CheckpointConfig"]["S3Uri"]) if "CheckpointConfig" in request else None
    return JobOutcome(
        job=str(request["TrainingJobName"]),
        status=end.status,
        secondary_status=end.secondary,
        failure_reason=end.reason if end.status == FAILED else "",
        transitions=tuple(job.transitions),
        attempts=job.attempts,
        newest_checkpoint=newest_checkpoint(store.path(prefix)) if prefix is not None else None,
        stand_ins=tuple(_stand_ins(request, trainer)),
        outcome=host_outcome(
            job.run_of_hosts,
            ended={COMPLETED: COMPLETED, FAILED: FAILED}.get(end.status, UNFINISHED),
            why=end.reason or end.secondary,
            attempts=job.attempts,
            instances=job.instances,
            hourly_usd=hourly_usd,
            trainer=trainer,
            not_modelled=_not_modelled(request),
            files=files,
        ),
    )


def _stand_ins(request: Mapping[str, Any], trainer: Trainer | None) -> list[str]:
    channels = channels_of(request)
    shared = [channel["ChannelName"] for channel in channels if "FileSystemDataSource" in channel["DataSource"]]
    return [
        *ALWAYS_REPLACED,
        *(f"the file system of channel {name} is a folder of this machine" for name in shared),
        *trainer_words(trainer),
    ]


def _not_modelled(request: Mapping[str, Any]) -> list[str]:
    """Parts of the request that have no effect here."""
    resources = request["ResourceConfig"]
    found = [key for key in ("TrainingPlanArn", "KeepAlivePeriodInSeconds") if key in resources]
    return [*found, *(key for key in ("VpcConfig", "DebugHookConfig", "ProfilerConfig") if key in request)]
