"""Training jobs of an environment for `status`: those that have not ended, and those that failed within a day."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import timedelta
from functools import partial

from neuron_cluster.aws.reading import NotRead, reading
from neuron_cluster.aws.training_jobs import JobState, failure_reason, jobs_failed_since, jobs_in_progress
from neuron_cluster.plan.environment_tag import ENVIRONMENT_TAG
from neuron_cluster.protocol.status import StatusLine, StatusQuery, StatusSection, error, healthy
from neuron_cluster.schedulers.sagemaker.sagemaker_plan import JOB_TAG, SageMakerTrainingPlan

TITLE = "Training jobs"
SERVICE = "sagemaker"
FAILED = "Failed"
DAY = timedelta(days=1)


def training_status(query: StatusQuery) -> Sequence[StatusSection]:
    """Without the section of the file there is no section here."""
    if query.plan.provider(SageMakerTrainingPlan) is None:
        return ()
    found = reading(SERVICE, lambda: _own(query))
    if isinstance(found, NotRead):
        return (StatusSection(TITLE, (query.not_read("training jobs", found),)),)
    lines = tuple(_lines(query, found)) or (healthy("training jobs", "none runs, and none failed within a day"),)
    return (StatusSection(TITLE, lines),)


def _own(query: StatusQuery) -> list[JobState]:
    target = query.access.target
    found = [*jobs_in_progress(target), *jobs_failed_since(target, query.at - DAY)]
    return [job for job in found if job.tags.get(ENVIRONMENT_TAG) == query.plan.name]


def _lines(query: StatusQuery, jobs: Sequence[JobState]) -> Iterator[StatusLine]:
    for job in jobs:
        of = f" of {job.tags[JOB_TAG]}" if JOB_TAG in job.tags else ""
        if job.status != FAILED:
            yield healthy(job.name, f"{job.secondary or job.status}{of}", since=job.created)
            continue
        why = reading(SERVICE, partial(failure_reason, query.access.target, job.name))
        cause = "its reason was not read" if isinstance(why, NotRead) else why or "SageMaker gives no reason"
        command = query.access.aws_command("sagemaker describe-training-job", training_job_name=job.name)
        yield error(job.name, f"failed{of}: {cause}", command, since=job.ended)
