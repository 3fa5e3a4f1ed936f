"""Whether the quotas of SageMaker allow each job, by the names of the quotas. They are often 0 in a new account."""

from __future__ import annotations

from collections.abc import Iterator

from neuron_cluster.aws.sagemaker_quotas import PERMISSIONS, increase_command, listing_command, small_quotas
from neuron_cluster.findings.finding import Finding
from neuron_cluster.protocol.preflight import PreflightQuery
from neuron_cluster.schedulers.sagemaker.sagemaker_plan import SageMakerTrainingPlan, TrainingJobPlan

__all__ = ("PERMISSIONS", "WHAT", "check", "subjects")

WHAT = "quotas of SageMaker for training jobs"


def subjects(context: PreflightQuery) -> list[str]:
    """Returns the names of the quotas."""
    return list(_largest(context))


def check(context: PreflightQuery) -> Iterator[Finding]:
    """W9561 for a quota that is too small for a job alone, W9562 for one that Service Quotas does not list."""
    largest, region = _largest(context), context.plan.region
    if not largest:
        return
    needed = {quota: job.instances for quota, job in largest.items()}
    for small in small_quotas(context.destination.target, needed):
        job = largest[small.name]
        place = context.locate((*job.path, "count"))
        if small.quota is None:
            message = f"Service Quotas does not list {small.name} in {region}: it was not checked"
            yield Finding("W9562", place, message, f"`{listing_command(region)}` shows all quotas of SageMaker")
        else:
            message = f"{small.name} allows {small.quota.value:,.0f} in {region}; {job.name} has {small.needed:,}"
            request = increase_command(small.quota, small.needed, region)
            yield Finding("W9561", place, message, f"`{request}`, which AWS grants in minutes or days; or lower count")


def _largest(context: PreflightQuery) -> dict[str, TrainingJobPlan]:
    """The job with the most instances by the name of their quota; those of training plans count against none."""
    training = context.plan.provider(SageMakerTrainingPlan)
    found: dict[str, TrainingJobPlan] = {}
    for job in training.jobs if training is not None else ():
        quotas = (job.quota, job.warm_pool_quota) if job.purchase.plan_arn is None else ()
        for quota in filter(None, quotas):
            if quota not in found or job.instances > found[quota].instances:
                found[quota] = job
    return found
