"""Training plans that were bought: their state by the local clock, and how many of their instances are in use."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any

from local_aws.clock import CLOCK
from local_aws.contract import Call
from local_aws.services.sagemaker.job_rows import on_plan
from local_aws.services.seed_data import seed_data

Row = dict[str, Any]
PLANS = "training-plans"
CAPACITIES, EXTENSIONS, PAID_AT = "ReservedCapacitySummaries", "TrainingPlanExtensions", "PaidAt"
PENDING, SCHEDULED, ACTIVE, EXPIRED, FAILED = "Pending", "Scheduled", "Active", "Expired", "Failed"
USABLE = (SCHEDULED, ACTIVE)
"""The states in which a group or a training job can get a plan."""
MESSAGES = {
    PENDING: "Awaiting payment confirmation.",
    SCHEDULED: "Payment confirmed, training plan scheduled.",
    FAILED: "The payment was not confirmed in time.",
}
"""The message of the second is that of the documentation's example, the others are this local AWS's own."""
OWN_MEMBERS = ("TrainingPlanName", "TrainingPlanArn", "TargetResources", "UpfrontFee", "CurrencyCode")


def find_plan(call: Call, name_or_arn: str) -> Row | None:
    """The row of a plan by its name or ARN."""
    for row in call.table(PLANS).values():
        if name_or_arn in (row["TrainingPlanName"], row["TrainingPlanArn"]):
            found: Row = row
            return found
    return None


def status_of(row: Mapping[str, Any], moment: datetime) -> str:
    """The state of a plan. A payment that is not complete some minutes before the start fails it."""
    unpaid = unpaid_status(row, moment)
    if unpaid is not None:
        return unpaid
    if moment >= end_of(row):
        return EXPIRED
    return ACTIVE if ACTIVE in (_status_by_dates(each, moment) for each in row[CAPACITIES]) else SCHEDULED


def unpaid_status(row: Mapping[str, Any], moment: datetime) -> str | None:
    """``Pending`` or ``Failed``; None for a plan that is paid for."""
    latest = start_of(row) - timedelta(minutes=seed_data("training_plans")["minutes_from_payment_to_start"])
    if row[PAID_AT] > latest:
        return PENDING if moment < latest else FAILED
    return PENDING if moment < row[PAID_AT] else None


def start_of(row: Mapping[str, Any]) -> datetime:
    start: datetime = min(each["StartTime"] for each in row[CAPACITIES])
    return start


def end_of(row: Mapping[str, Any]) -> datetime:
    end: datetime = max(each["EndTime"] for each in row[CAPACITIES])
    return end


def _status_by_dates(capacity: Mapping[str, Any], moment: datetime) -> str:
    if moment < capacity["StartTime"]:
        return SCHEDULED
    return ACTIVE if moment < capacity["EndTime"] else EXPIRED


def reported(call: Call, row: Row) -> Row:
    """The plan as DescribeTrainingPlan returns it now."""
    now, total = CLOCK.now(), row["TotalInstanceCount"]
    status, unpaid = status_of(row, now), unpaid_status(row, now)
    used = sum(count for _, count in groups_on(call, row["TrainingPlanArn"]))
    used += on_plan(call, row["TrainingPlanArn"])
    return {
        **{member: row[member] for member in OWN_MEMBERS},
        "Status": status,
        **({"StatusMessage": MESSAGES[status]} if status in MESSAGES else {}),
        "StartTime": start_of(row),
        "EndTime": end_of(row),
        **duration_of(row[CAPACITIES]),
        "TotalInstanceCount": total,
        "AvailableInstanceCount": max(total - used, 0),
        "InUseInstanceCount": used,
        CAPACITIES: [
            {**each, **duration_of([each]), "Status": unpaid or _status_by_dates(each, now)} for each in row[CAPACITIES]
        ],
    }


def duration_of(capacities: Sequence[Mapping[str, Any]]) -> dict[str, int]:
    """The hours and minutes of reserved capacities together."""
    in_all = sum(((each["EndTime"] - each["StartTime"]) for each in capacities), timedelta())
    hours, minutes = divmod(int(in_all.total_seconds()) // 60, 60)
    return {"DurationHours": hours, "DurationMinutes": minutes}


def groups_on(call: Call, arn: str) -> Iterator[tuple[tuple[str, str], int]]:
    """Cluster and name of each HyperPod group that has the plan, and the number of its instances."""
    for name, cluster in call.table("Cluster").items():
        for group in cluster.get("InstanceGroups", []):
            if group.get("TrainingPlanArn") == arn:
                yield (name, group["InstanceGroupName"]), group["TargetCount"]


def types_of(group: Mapping[str, Any]) -> list[str]:
    """The instance types that a group of a request may have."""
    requirements: Mapping[str, Any] = group.get("InstanceRequirements") or {}
    return list(requirements.get("InstanceTypes") or [group["InstanceType"]])
