"""Training jobs placed and rendered as requests."""

from __future__ import annotations

import datetime as dt
import json
from collections.abc import Iterator, Mapping
from typing import Any

from neuron_cluster.findings.finding import Finding
from neuron_cluster.plan.cluster_plan import ClusterPlan
from neuron_cluster.plan.environment_tag import ENVIRONMENT_TAG
from neuron_cluster.protocol.submission import ApiCall, Call
from neuron_cluster.protocol.workload import Placement, Rendered, Workload
from neuron_cluster.schedulers.sagemaker import launcher
from neuron_cluster.schedulers.sagemaker.api_job import TRAINING_JOB
from neuron_cluster.schedulers.sagemaker.job_cost import cost_note, most_usd
from neuron_cluster.schedulers.sagemaker.request import launcher_prefix, request_of
from neuron_cluster.schedulers.sagemaker.sagemaker_plan import JOB_TAG, SageMakerTrainingPlan, TrainingJobPlan
from neuron_cluster.schedulers.sagemaker.stack_outputs import BUCKET, outputs_of_job, placeholder

FILE = "request.json"
OUTPUTS = "aws cloudformation describe-stacks --region {region} --stack-name {stack} --query 'Stacks[].Outputs[]'"
NOTES = "${{NAME}} is an output of the stack {stack}: `workload submit` fills it in.\n"


class JobPlacement(Placement, frozen=True, kw_only=True):
    """A job of the environment file, and the name of the training job that it becomes."""

    plan: ClusterPlan
    training: SageMakerTrainingPlan
    job: TrainingJobPlan
    job_name: str


def place_job(workload: Workload, plan: ClusterPlan, values: Mapping[str, Any]) -> Placement | tuple[Finding, ...]:
    """Always a placement: the rules of the file have checked the job."""
    training = plan.provider(SageMakerTrainingPlan)
    job = training.job(workload.name) if training is not None else None
    if training is None or job is None:
        raise LookupError(f"{plan.name} has no training job {workload.name}")
    if values["nodes"] is not None:
        job = job.on_instances(values["nodes"])
    name = values["job_name"] or f"{job.name}-{dt.datetime.now(dt.UTC):%Y%m%dT%H%M%S}"
    return JobPlacement(workload=workload, group=job.name, plan=plan, training=training, job=job, job_name=name)


def render_job(placed: JobPlacement) -> Rendered:
    """The request, and the command that sends it."""
    plan, training = placed.plan, placed.training
    request = request_of(placed.job, training, plan, placed.job_name)
    text = _as_text(request)
    call = Call(service="sagemaker", operation="create_training_job", parameters=request)
    return Rendered(
        text=text,
        files={FILE: text},
        document={
            "environment": plan.name,
            "job": placed.job.name,
            "training_job": placed.job_name,
            "stack": training.stack_name,
            "most_usd": most_usd(placed.job, plan.prices),
            "request": request,
        },
        submission=ApiCall(
            call=call,
            id=f"'{placed.job_name}'",
            job=TRAINING_JOB,
            outputs_of=training.stack_name,
            outputs=outputs_of_job(placed.job),
            uploads=_uploads(placed.job),
            alone_with={ENVIRONMENT_TAG: plan.name, JOB_TAG: placed.job.name},
        ),
        commands=(
            OUTPUTS.format(region=plan.region, stack=training.stack_name),
            *_upload_commands(placed.job, plan),
            call.command(plan.region),
        ),
        notes=f"{cost_note(placed.job, plan.prices)}\n{NOTES.format(stack=training.stack_name)}",
    )


def request_text(job: TrainingJobPlan, training: SageMakerTrainingPlan, plan: ClusterPlan, name: str) -> str:
    """The request as JSON."""
    return _as_text(request_of(job, training, plan, name))


def _as_text(request: Mapping[str, Any]) -> str:
    return json.dumps(request, indent=2) + "\n"


def _launcher_folder(job: TrainingJobPlan) -> str:
    return f"s3://{placeholder(BUCKET)}/{launcher_prefix(job)}"


def _uploads(job: TrainingJobPlan) -> Mapping[str, bytes]:
    """The launcher of the job's owner."""
    if not job.uses_launcher:
        return {}
    return {f"{_launcher_folder(job)}{name}": content for name, content in launcher.files().items()}


def _upload_commands(job: TrainingJobPlan, plan: ClusterPlan) -> Iterator[str]:
    if job.uses_launcher:
        names = "--recursive --exclude '*' --include '*.py'"
        yield f"aws s3 cp {launcher.FOLDER} '{_launcher_folder(job)}' {names} --region {plan.region}"
