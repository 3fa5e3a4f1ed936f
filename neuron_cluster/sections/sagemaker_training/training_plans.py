"""Whether the training plans of the file are there, and fit the jobs that run in them."""

from __future__ import annotations

from collections.abc import Iterator

from neuron_cluster.aws.training_plans import TrainingPlan, training_plan
from neuron_cluster.findings.finding import Finding
from neuron_cluster.findings.text import counted, listed
from neuron_cluster.protocol.preflight import PreflightQuery
from neuron_cluster.schedulers.sagemaker.sagemaker_plan import SageMakerTrainingPlan, TrainingJobPlan

WHAT = "training plans of jobs"
PERMISSIONS = ("sagemaker:DescribeTrainingPlan",)
TARGET = "training-job"
USABLE = ("Scheduled", "Active")


def subjects(context: PreflightQuery) -> list[str]:
    """Returns each job with its training plan."""
    return [f"{job.name}: {job.purchase.plan_arn}" for job in _jobs(context)]


def check(context: PreflightQuery) -> Iterator[Finding]:
    """E9599 for a plan that is not there, is over or does not fit the job."""
    region = context.plan.region
    for job in _jobs(context):
        place, arn = context.locate((*job.path, "capacity", "plan_arn")), job.purchase.plan_arn or ""
        found = training_plan(context.destination.target, arn)
        if found is None:
            message = f"the account has no training plan {arn} in {region}, which {job.name} has"
        elif reasons := list(_reasons(found, job)):
            message = f"{job.name} cannot run in the training plan {found.name}: {'; '.join(reasons)}"
        else:
            continue
        columns = "TrainingPlanSummaries[].[TrainingPlanArn,Status,TargetResources,TotalInstanceCount]"
        listing = f'aws sagemaker list-training-plans --query "{columns}" --region {region}'
        yield Finding("E9599", place, message, f"correct plan_arn, instance_type or count by what `{listing}` shows")


def _jobs(context: PreflightQuery) -> tuple[TrainingJobPlan, ...]:
    training = context.plan.provider(SageMakerTrainingPlan)
    return tuple(job for job in training.jobs if job.purchase.plan_arn is not None) if training is not None else ()


def _reasons(found: TrainingPlan, job: TrainingJobPlan) -> Iterator[str]:
    if found.status not in USABLE:
        yield f"it is {found.status}, not {listed(USABLE, 'or')}"
    if TARGET not in found.targets:
        yield f"its target is {listed(found.targets) or 'not known'}, not {TARGET}"
    if found.instance_types and job.instance_type not in found.instance_types:
        yield f"it has {listed(sorted(found.instance_types))}, but instance_type is {job.instance_type}"
    if found.zone_ids and not found.zone_ids & set(job.zone_ids):
        yield f"it is in {listed(sorted(found.zone_ids))}, but the job is in {listed(job.zone_ids)} (availability_zone)"
    if job.instances > found.count:
        yield f"it has {counted(found.count, 'instance')}, but count is {job.instances}"
