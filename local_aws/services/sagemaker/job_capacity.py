"""Instances for training jobs: those of a training plan, others may be scarce.

Source: https://docs.aws.amazon.com/sagemaker/latest/dg/training-plan-utilization-for-training-jobs.html: a job waits
for instances of its plan, for two days at most, and loses them 30 minutes before the plan ends.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any

from local_aws.contract import Call
from local_aws.services.sagemaker.capacity import instances_left, note_scarce_types
from local_aws.services.sagemaker.job_rows import (
    LOOKED_AT,
    PLAN,
    Row,
    instances_of,
    on_plan,
    plan_of,
)
from local_aws.services.sagemaker.plan_rows import ACTIVE, end_of, find_plan, start_of, status_of
from local_aws.services.seed_data import seed_data

LONGEST_WAIT_FOR_PLAN = timedelta(days=2)


def start_of_capacity(call: Call, row: Row, cursor: datetime) -> datetime | None:
    """The moment from which there are instances for a job that waits; None as long as it is not known.

    ``cursor`` is the moment of the last change of any job.
    """
    moment = max(row[LOOKED_AT], cursor)
    arn = plan_of(row)
    if arn is None:
        left = [(instances_left(call, name), count) for name, count in instances_of(row).items()]
        return moment if all(number is None or number >= count for number, count in left) else None
    plan = find_plan(call, arn)
    if plan is None:
        return None
    moment = max(moment, start_of(plan))
    free = plan["TotalInstanceCount"] - on_plan(call, arn)
    is_open = status_of(plan, moment) == ACTIVE and moment < end_of_plan(call, row)
    return moment if is_open and free >= sum(instances_of(row).values()) else None


def end_of_plan(call: Call, row: Mapping[str, Any]) -> datetime:
    """The moment from which SageMaker ends instances of the job's plan; the end of time without a plan."""
    arn = plan_of(row)
    plan = find_plan(call, arn) if arn is not None else None
    if plan is None:
        return datetime.max.replace(tzinfo=row[LOOKED_AT].tzinfo)
    return end_of(plan) - timedelta(minutes=seed_data("training_plans")["minutes_from_last_job_to_end"])


def waits_from(call: Call, row: Row, pending_at: datetime) -> datetime:
    """From when a job waits for instances: not while its plan has yet to begin."""
    arn = plan_of(row)
    plan = find_plan(call, arn) if arn is not None else None
    return max(pending_at, start_of(plan)) if plan is not None else pending_at


def has_accelerators(row: Mapping[str, Any]) -> bool:
    """Whether MaxPendingTimeInSeconds has an effect on the job."""
    cpu = re.compile(seed_data("sagemaker")["cpu_types"])
    return any(cpu.fullmatch(name) is None for name in instances_of(row))


def note_wait(call: Call, row: Row) -> None:
    """Counts a job that waits for instances of a scarce type."""
    if PLAN not in row["ResourceConfig"]:
        note_scarce_types(call, instances_of(row))
