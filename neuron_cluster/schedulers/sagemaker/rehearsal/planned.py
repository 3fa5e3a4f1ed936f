"""The rehearsal of a job of the environment file: its request, with placeholders for deploy-time values."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from msgspec import to_builtins

from neuron_cluster.errors import ToolkitError
from neuron_cluster.protocol.submission import with_texts
from neuron_cluster.rehearsal.given_files import put, require_claims
from neuron_cluster.rehearsal.rehearsal_plan import PlannedRehearsal, Ran, Request
from neuron_cluster.schedulers.sagemaker import launcher
from neuron_cluster.schedulers.sagemaker.job_cost import price_name
from neuron_cluster.schedulers.sagemaker.rehearsal.rehearse_job import JobOutcome, rehearse_job, with_trainer
from neuron_cluster.schedulers.sagemaker.rehearsal.store import Store
from neuron_cluster.schedulers.sagemaker.rehearsal.training_job import Settings
from neuron_cluster.schedulers.sagemaker.request import launcher_prefix, request_of
from neuron_cluster.schedulers.sagemaker.sagemaker_plan import SageMakerTrainingPlan, TrainingJobPlan
from neuron_cluster.schedulers.sagemaker.stack_outputs import BUCKET, outputs_of_job, placeholder

if TYPE_CHECKING:
    from neuron_cluster.protocol.scheduler import Environment

BUCKET_NAME = "checkpoint-bucket"
"""In the place of the name of the bucket, which its deploy generates."""
HOUR = 3600


def planned_rehearsal(
    environment: Environment, name: str, values: Mapping[str, Any], request: Request
) -> PlannedRehearsal:
    """Raises ``ToolkitError`` for a job without the launcher, and for options that it does not have."""
    plan = environment.plan
    training = plan.provider(SageMakerTrainingPlan)
    job = training.job(name) if training is not None else None
    if training is None or job is None:
        raise LookupError(f"{plan.name} has no training job {name}")
    if not job.uses_launcher:
        raise ToolkitError(
            f"{name} has launcher: image, and the entry point of the image is not on this machine",
            hint="rehearse a job with launcher: neuron_training",
        )
    _require_own_options(request)
    require_claims(request.files, ())
    body = with_trainer(with_texts(request_of(job, training, plan, name), _texts(job)), request.trainer_values)
    if request.nodes is not None:
        body["ResourceConfig"] = {**body["ResourceConfig"], "InstanceCount": request.nodes}
    if request.limit_hours is not None:
        body["StoppingCondition"] = {**body["StoppingCondition"], "MaxRuntimeInSeconds": request.limit_hours * HOUR}
    launcher_address = f"s3://{BUCKET_NAME}/{launcher_prefix(job)}"

    def run(keep: Path | None, progress: Callable[[float, str], None]) -> Ran:
        with tempfile.TemporaryDirectory(prefix="neuron-cluster-s3-") as temporary:
            store = Path(values["s3"] or temporary)
            _fill(Store(store), launcher_address, request)
            return _ran(
                rehearse_job(
                    body,
                    store,
                    faults=request.faults,
                    settings=Settings(
                        variables={"REHEARSAL_RANKS": str(request.ranks)}, middle_step=max(1, request.steps // 2)
                    ),
                    keep=keep,
                    progress=progress,
                    hourly_usd=plan.prices.get(price_name(job)),
                    files=request.files,
                )
            )

    return PlannedRehearsal(name=f"{name} of {plan.name}", plan=None, run=run)


def _require_own_options(request: Request) -> None:
    if request.seconds:
        raise ToolkitError(
            "--time is for controllers of Kubernetes and Slurm, and a training job has none",
            hint="leave it out: the times of SageMaker are assumed",
        )


def _texts(job: TrainingJobPlan) -> dict[str, str]:
    """The text in the place of each output of the stack."""
    return {placeholder(each): BUCKET_NAME if each == BUCKET else each for each in outputs_of_job(job)}


def _fill(store: Store, launcher_address: str, request: Request) -> None:
    """Puts into S3 what the job finds there: the launcher, and files of the command line."""
    folder = store.path(launcher_address)
    folder.mkdir(parents=True, exist_ok=True)
    for name, content in launcher.files().items():
        (folder / name).write_bytes(content)
    put(request.files, {}, store.folder)


def _ran(job: JobOutcome) -> Ran:
    details = {key: value for key, value in to_builtins(job).items() if key not in ("job", "outcome")}
    facts = (
        ("status", f"{job.status}, {job.secondary_status}"),
        *((("failure reason", job.failure_reason),) if job.failure_reason else ()),
        ("attempts", str(job.attempts)),
        ("newest checkpoint", job.newest_checkpoint or "none"),
        *(("replaced", each) for each in job.stand_ins),
    )
    return Ran(outcome=job.outcome, document={"training_job": details}, facts=facts)
