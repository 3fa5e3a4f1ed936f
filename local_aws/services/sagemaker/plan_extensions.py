"""Extensions of training plans: bought, and listed as the history of a plan."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from local_aws.api_errors import api_error
from local_aws.clock import CLOCK, DELAYS
from local_aws.contract import Call
from local_aws.registry import operation
from local_aws.services.paging import listing
from local_aws.services.sagemaker.plan_offerings import EXTENSION_OFFERINGS
from local_aws.services.sagemaker.plan_rows import (
    ACTIVE,
    CAPACITIES,
    EXPIRED,
    EXTENSIONS,
    PAID_AT,
    PENDING,
    SCHEDULED,
    USABLE,
    Row,
    end_of,
    find_plan,
    status_of,
)

PLAN = "plan"
"""The member of an offering that has the ARN of the plan."""


@operation("sagemaker", "ExtendTrainingPlan")
def extend_training_plan(call: Call) -> Mapping[str, Any]:
    """The last capacity of the plan gets the end of the extension. An offering is sold once, before the plan ends.

    The end moves at once, also while the payment is pending: no source states when it does.
    """
    offering_id = call.parameters["TrainingPlanExtensionOfferingId"]
    offering = call.table(EXTENSION_OFFERINGS).pop(offering_id, None)
    row = find_plan(call, offering[PLAN]) if offering is not None else None
    if offering is None or row is None:
        raise api_error("sagemaker.no_plan_extension", offering_id=offering_id)
    if status_of(row, CLOCK.now()) not in USABLE or end_of(row) != offering["StartDate"]:
        raise api_error("sagemaker.no_plan_extension", offering_id=offering_id)
    last = max(row[CAPACITIES], key=lambda each: each["EndTime"])
    last["EndTime"] = offering["EndDate"]
    row[EXTENSIONS].append(
        {
            **{member: value for member, value in offering.items() if member != PLAN},
            "AvailabilityZoneId": last["AvailabilityZoneId"],
            "ExtendedAt": CLOCK.now(),
            PAID_AT: CLOCK.now() + DELAYS.plan_payment,
        }
    )
    return {EXTENSIONS: [_reported(each) for each in row[EXTENSIONS]]}


@operation("sagemaker", "DescribeTrainingPlanExtensionHistory")
def describe_extension_history(call: Call) -> Mapping[str, Any]:
    row = find_plan(call, call.parameters["TrainingPlanArn"])
    if row is None:
        raise api_error("sagemaker.no_plan", name=call.parameters["TrainingPlanArn"])
    return listing(call, EXTENSIONS, [_reported(each) for each in row[EXTENSIONS]])


def _reported(extension: Row) -> Row:
    """The extension as the API returns it now."""
    now = CLOCK.now()
    is_paid = now >= extension[PAID_AT]
    by_dates = EXPIRED if now >= extension["EndDate"] else ACTIVE if now >= extension["StartDate"] else SCHEDULED
    members = {member: value for member, value in extension.items() if member != PAID_AT}
    return {
        **members,
        "Status": by_dates if is_paid else PENDING,
        "PaymentStatus": "Completed" if is_paid else PENDING,
    }
