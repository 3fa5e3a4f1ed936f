"""Training plans: bought, described and listed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from local_aws.api_errors import api_error
from local_aws.clients import partition_of
from local_aws.clock import CLOCK, DELAYS
from local_aws.contract import Call
from local_aws.registry import operation
from local_aws.services.paging import listing
from local_aws.services.sagemaker.clusters import new_suffix
from local_aws.services.sagemaker.plan_offerings import OFFERINGS, limit_exceeded, plans_allowed
from local_aws.services.sagemaker.plan_rows import (
    CAPACITIES,
    EXPIRED,
    EXTENSIONS,
    FAILED,
    PAID_AT,
    PLANS,
    Row,
    find_plan,
    reported,
    status_of,
)

DESCENDING = "Descending"


@operation("sagemaker", "CreateTrainingPlan")
def create_training_plan(call: Call) -> Mapping[str, Any]:
    """An offering is sold once. What it costs is told; nothing is paid here."""
    name, offering_id = call.parameters["TrainingPlanName"], call.parameters["TrainingPlanOfferingId"]
    plans, offerings = call.table(PLANS), call.table(OFFERINGS)
    if name in plans:
        raise api_error("sagemaker.plan_exists", name=name)
    if offering_id not in offerings:
        raise api_error("sagemaker.no_plan_offering", offering_id=offering_id)
    used = sum(status_of(row, CLOCK.now()) not in (EXPIRED, FAILED) for row in plans.values())
    if used >= plans_allowed(call):
        raise limit_exceeded(call, used)
    plans[name] = _new_plan(call, name, offerings.pop(offering_id))
    return {"TrainingPlanArn": plans[name]["TrainingPlanArn"]}


def _new_plan(call: Call, name: str, offering: Row) -> Row:
    offered = offering["ReservedCapacityOfferings"]
    return {
        "TrainingPlanName": name,
        "TrainingPlanArn": _arn(call, "training-plan", name),
        "TargetResources": offering["TargetResources"],
        "UpfrontFee": offering["UpfrontFee"],
        "CurrencyCode": offering["CurrencyCode"],
        "TotalInstanceCount": max(each["InstanceCount"] for each in offered),
        PAID_AT: CLOCK.now() + DELAYS.plan_payment,
        CAPACITIES: [_new_capacity(call, each) for each in offered],
        EXTENSIONS: [],
    }


def _new_capacity(call: Call, offered: Row) -> Row:
    (zone,) = call.client("ec2").describe_availability_zones(ZoneNames=[offered["AvailabilityZone"]])[
        "AvailabilityZones"
    ]
    members = ("ReservedCapacityType", "InstanceType", "AvailabilityZone", "StartTime", "EndTime")
    return {
        "ReservedCapacityArn": _arn(call, "reserved-capacity", new_suffix()),
        "TotalInstanceCount": offered["InstanceCount"],
        "AvailabilityZoneId": zone["ZoneId"],
        **{member: offered[member] for member in members},
    }


def _arn(call: Call, kind: str, name: str) -> str:
    return f"arn:{partition_of(call.region)}:sagemaker:{call.region}:{call.account}:{kind}/{name}"


@operation("sagemaker", "DescribeTrainingPlan")
def describe_training_plan(call: Call) -> Mapping[str, Any]:
    row = find_plan(call, call.parameters["TrainingPlanName"])
    if row is None:
        raise api_error("sagemaker.no_plan", name=call.parameters["TrainingPlanName"])
    return reported(call, row)


@operation("sagemaker", "ListTrainingPlans")
def list_training_plans(call: Call) -> Mapping[str, Any]:
    """In the order in which they were bought unless the request sorts them; a plan meets every filter."""
    given = call.parameters
    rows = [reported(call, row) for row in call.table(PLANS).values()]
    for each in given.get("Filters", []):
        rows = [row for row in rows if row[each["Name"]] == each["Value"]]
    if (first := given.get("StartTimeAfter")) is not None:
        rows = [row for row in rows if row["StartTime"] > first]
    if (last := given.get("StartTimeBefore")) is not None:
        rows = [row for row in rows if row["StartTime"] < last]
    if key := given.get("SortBy"):
        rows.sort(key=lambda row: row[key])
    if given.get("SortOrder") == DESCENDING:
        rows.reverse()
    return listing(call, "TrainingPlanSummaries", rows)
