"""The phases of a training job, which follow the local clock: what is due is done when somebody looks.

Messages are those that the logs of jobs show in public notebooks. Inferred: that a job of On-Demand instances waits
without an end where there are none and MaxPendingTimeInSeconds is not set, that a job which is stopped uploads nothing,
and the statuses of jobs whose plan ends or whose instances never come.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from typing import NamedTuple

from local_aws.clock import CLOCK, DELAYS
from local_aws.contract import Call
from local_aws.services.sagemaker.job_capacity import (
    LONGEST_WAIT_FOR_PLAN,
    end_of_plan,
    has_accelerators,
    note_wait,
    start_of_capacity,
    waits_from,
)
from local_aws.services.sagemaker.job_logs import write_end, write_sigterm, write_start
from local_aws.services.sagemaker.job_rows import (
    COMPLETED,
    CREATED,
    END,
    ENDED,
    FAILED,
    LENGTHS,
    LOOKED_AT,
    PENDING,
    SECONDARY,
    SPOT,
    STARTED,
    STATUS,
    STOP_AT,
    STOPPED,
    STOPPED_AS,
    STOPPING,
    Row,
    enter,
    entered_at,
    jobs,
    plan_of,
)
from local_aws.services.sagemaker.warm_pools import keep_instances, take_instances

ENDS = {
    STOPPED: "Training job stopped",
    "MaxRuntimeExceeded": "Training job runtime exceeded MaxRuntimeInSeconds provided",
    "MaxWaitTimeExceeded": "Training job wait time exceeded MaxWaitTimeInSeconds provided",
}
"""The messages of secondary statuses of stopped jobs; inferred: the last one."""
NO_CAPACITY = "InsufficientCapacityError: Unable to provision requested ML compute capacity"
"""The reason of a job whose plan had no instances for two days; inferred: the words after the code."""


class Change(NamedTuple):
    """A change that is due for a job at a moment."""

    moment: datetime
    apply: Callable[[datetime], None]


def begin(call: Call, row: Row) -> None:
    """Starts a new job, or lets it wait for instances."""
    now = row[CREATED]
    enter(row, now, "Starting", "Starting the training job")
    if start_of_capacity(call, row, now) == now:
        take_instances(call, row, now)
    else:
        enter(row, now, PENDING, "Training job waiting for capacity")
        note_wait(call, row)


def advance(call: Call) -> None:
    """Does what was due by now, one change after the other: the end of one job may be the start of another."""
    now, cursor = CLOCK.now(), datetime.min.replace(tzinfo=UTC)
    while due := [change for row in jobs(call) for change in _changes(call, row, cursor) if change.moment <= now]:
        first = min(due, key=lambda change: change.moment)
        cursor = max(cursor, first.moment)
        first.apply(first.moment)
    for row in jobs(call):
        if row[SECONDARY] == PENDING:
            row[LOOKED_AT] = now


def stop(call: Call, row: Row, moment: datetime, secondary: str = STOPPED) -> None:
    """Sends SIGTERM; without a container that could get it the job has stopped as soon as somebody looks."""
    seconds = DELAYS.training_job_stop if row[SECONDARY] in ("Training", "Uploading") else timedelta()
    if seconds:
        write_sigterm(call, row, moment, seconds)
    row |= {STOP_AT: moment + seconds, STOPPED_AS: secondary}
    enter(row, moment, STOPPING, "Stopping the training job", STOPPING)


def _changes(call: Call, row: Row, cursor: datetime) -> Iterator[Change]:
    """Changes that can follow; of those at the same moment the first one counts."""
    secondary, since = row[SECONDARY], entered_at(row)
    if row[STATUS] in ENDED:
        return
    if secondary == STOPPING:
        yield Change(row[STOP_AT], lambda at: _end(call, row, at, STOPPED, row[STOPPED_AS], ENDS[row[STOPPED_AS]]))
        return
    if secondary == PENDING:
        yield from _ends_of_wait(call, row, since, cursor)
    else:
        yield Change(since + row[LENGTHS][secondary], lambda at: _next_phase(call, row, at))
    if secondary != "Uploading":
        yield from _limits(call, row)


def _ends_of_wait(call: Call, row: Row, since: datetime, cursor: datetime) -> Iterator[Change]:
    moment = start_of_capacity(call, row, cursor)
    if moment is not None:
        yield Change(moment, lambda at: _start(call, row, at))
    waits = waits_from(call, row, since)
    longest = row["StoppingCondition"].get("MaxPendingTimeInSeconds")
    if longest is not None and has_accelerators(row):
        yield Change(waits + timedelta(seconds=longest), lambda at: stop(call, row, at))
    if plan_of(row) is not None:
        yield Change(waits + LONGEST_WAIT_FOR_PLAN, lambda at: _end(call, row, at, FAILED, FAILED, NO_CAPACITY))


def _limits(call: Call, row: Row) -> Iterator[Change]:
    """The ends of the time and of the plan of a job."""
    condition = row["StoppingCondition"]
    if row[SPOT] and "MaxWaitTimeInSeconds" in condition:
        end = row[CREATED] + timedelta(seconds=condition["MaxWaitTimeInSeconds"])
        yield Change(end, lambda at: stop(call, row, at, "MaxWaitTimeExceeded"))
    if STARTED in row:
        end = row[STARTED] + timedelta(seconds=condition["MaxRuntimeInSeconds"])
        yield Change(end, lambda at: stop(call, row, at, "MaxRuntimeExceeded"))
    if row[SECONDARY] != PENDING:
        yield Change(end_of_plan(call, row), lambda at: stop(call, row, at))


def _start(call: Call, row: Row, moment: datetime) -> None:
    enter(row, moment, "Starting", "Preparing the instances for training")
    take_instances(call, row, moment)


def _next_phase(call: Call, row: Row, moment: datetime) -> None:
    match row[SECONDARY]:
        case "Starting":
            enter(row, moment, "Downloading", "Downloading the training image")
            row[STARTED] = moment
        case "Downloading":
            enter(row, moment, "Training", "Training image download completed. Training in progress.")
            write_start(call, row, moment)
        case "Training":
            enter(row, moment, "Uploading", "Uploading generated training model")
        case _:
            _end(call, row, moment, COMPLETED, COMPLETED, "Training job completed")


def _end(call: Call, row: Row, moment: datetime, status: str, secondary: str, message: str) -> None:
    """The job has ended. Billable is the time on instances once, however many there are."""
    enter(row, moment, secondary, message, status)
    row[END] = moment
    if status == FAILED:
        row["FailureReason"] = message
    if STARTED in row:
        seconds = int((moment - row[STARTED]).total_seconds())
        row |= {"TrainingTimeInSeconds": seconds, "BillableTimeInSeconds": seconds}
        write_end(call, row, moment)
        keep_instances(call, row, moment)
