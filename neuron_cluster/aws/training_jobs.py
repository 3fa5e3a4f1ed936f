"""Training jobs of SageMaker (read-only)."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from msgspec import Struct

from neuron_cluster.aws.errors import translated
from neuron_cluster.aws.session import Target, client


class JobState(Struct, frozen=True):
    """A training job as ListTrainingJobs has it, with its tags."""

    name: str
    status: str
    secondary: str
    """Empty where SageMaker does not list it."""
    created: datetime
    ended: datetime | None
    tags: dict[str, str]


def jobs_in_progress(target: Target) -> list[JobState]:
    """Jobs of the account and Region that have not ended. Raises ``ToolkitError``."""
    return [*_jobs(target, StatusEquals="InProgress"), *_jobs(target, StatusEquals="Stopping")]


def jobs_failed_since(target: Target, moment: datetime) -> list[JobState]:
    """Jobs that failed after this moment. Raises ``ToolkitError``."""
    return _jobs(target, StatusEquals="Failed", LastModifiedTimeAfter=moment)


def failure_reason(target: Target, name: str) -> str:
    """Why the job of this name failed; empty where SageMaker has no reason. Raises ``ToolkitError``."""
    with translated():
        return str(client(target, "sagemaker").describe_training_job(TrainingJobName=name).get("FailureReason", ""))


def _jobs(target: Target, **filters: Any) -> list[JobState]:
    sagemaker = client(target, "sagemaker")
    with translated():
        pages = sagemaker.get_paginator("list_training_jobs").paginate(**filters)
        rows = [row for page in pages for row in page["TrainingJobSummaries"]]
        return [
            JobState(
                row["TrainingJobName"],
                row["TrainingJobStatus"],
                row.get("SecondaryStatus", ""),
                row["CreationTime"],
                row.get("TrainingEndTime"),
                {tag["Key"]: tag["Value"] for tag in sagemaker.list_tags(ResourceArn=row["TrainingJobArn"])["Tags"]},
            )
            for row in rows
        ]
