"""Rows of training jobs: what DescribeTrainingJob returns, and what this local AWS keeps next to it."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any

from local_aws.api_errors import api_error
from local_aws.clock import DELAYS
from local_aws.contract import Call

Row = dict[str, Any]
JOBS = "training-jobs"
STATUS, SECONDARY, TRANSITIONS = "TrainingJobStatus", "SecondaryStatus", "SecondaryStatusTransitions"
IN_PROGRESS, STOPPING, COMPLETED, FAILED, STOPPED = "InProgress", "Stopping", "Completed", "Failed", "Stopped"
ENDED = (COMPLETED, FAILED, STOPPED)
PENDING = "Pending"
PLAN, KEEP_ALIVE, SPOT = "TrainingPlanArn", "KeepAlivePeriodInSeconds", "EnableManagedSpotTraining"
STARTED, END, CHANGED, CREATED = "TrainingStartTime", "TrainingEndTime", "LastModifiedTime", "CreationTime"
LENGTHS, POOL, LOOKED_AT, STOP_AT, STOPPED_AS = "lengths", "pool", "looked_at", "stop_at", "stopped_as"
"""Members of this local AWS: how long each phase takes; the warm pool that the job leaves; until when it is known that
there was no capacity; when a job that stops has stopped, and with which secondary status."""


def lengths() -> dict[str, timedelta]:
    """How long the phases of a job take that is created now, by secondary status."""
    return {
        "Starting": DELAYS.training_job_start,
        "Downloading": DELAYS.training_job_download,
        "Training": DELAYS.training_job,
        "Uploading": DELAYS.training_job_upload,
    }


def find_job(call: Call) -> Row:
    """The row of the job that the request names. Raises ServiceError without one."""
    row: Row | None = call.table(JOBS).get(call.parameters["TrainingJobName"])
    if row is None:
        raise api_error("sagemaker.no_job")
    return row


def instances_of(row: Mapping[str, Any]) -> dict[str, int]:
    """The instances of a job, or of a request for one, by type."""
    config = row.get("ResourceConfig", {})
    found: dict[str, int] = {}
    for group in config.get("InstanceGroups") or [config]:
        if "InstanceType" in group:
            name = group["InstanceType"]
            found[name] = found.get(name, 0) + group.get("InstanceCount", 0)
    return found


def plan_of(row: Mapping[str, Any]) -> str | None:
    """The ARN of the training plan of a job, or of a request for one; None without a plan."""
    arn: str | None = row.get("ResourceConfig", {}).get(PLAN)
    return arn


def has_instances(row: Mapping[str, Any]) -> bool:
    """Whether SageMaker has instances for the job now."""
    return row[STATUS] not in ENDED and row[SECONDARY] != PENDING


def on_plan(call: Call, arn: str) -> int:
    """How many instances of a training plan jobs have now."""
    rows = jobs(call)
    return sum(sum(instances_of(row).values()) for row in rows if plan_of(row) == arn and has_instances(row))


def running_jobs(call: Call, instance_type: str) -> int:
    """How many instances of a type jobs have now that are not those of a plan."""
    rows = (row for row in jobs(call) if plan_of(row) is None and has_instances(row))
    return sum(instances_of(row).get(instance_type, 0) for row in rows)


def jobs(call: Call) -> list[Row]:
    """The jobs of the account in the Region, in the order of their creation."""
    return list(call.table(JOBS).values())


def enter(row: Row, moment: datetime, secondary: str, message: str, status: str = IN_PROGRESS) -> None:
    """The job has another secondary status from this moment on."""
    history = row[TRANSITIONS]
    if history:
        history[-1]["EndTime"] = moment
    ended = {"EndTime": moment} if status in ENDED else {}
    history.append({"Status": secondary, "StartTime": moment, **ended, "StatusMessage": message})
    row |= {STATUS: status, SECONDARY: secondary, CHANGED: moment}


def entered_at(row: Mapping[str, Any]) -> datetime:
    """When the present secondary status of the job began."""
    moment: datetime = row[TRANSITIONS][-1]["StartTime"]
    return moment
