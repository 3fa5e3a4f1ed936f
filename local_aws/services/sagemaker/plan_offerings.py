"""SearchTrainingPlanOfferings: new plans for the Neuron types that plans have, and extensions of plans."""

from __future__ import annotations

import secrets
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime, time, timedelta
from typing import Any

from local_aws.api_errors import api_error
from local_aws.clock import CLOCK
from local_aws.contract import Call
from local_aws.knowledge.current import knowledge
from local_aws.quotas import counted_quotas, counted_value
from local_aws.registry import operation
from local_aws.services.sagemaker.plan_rows import USABLE, Row, duration_of, end_of, find_plan, status_of
from local_aws.services.seed_data import seed_data

OFFERINGS, EXTENSION_OFFERINGS = "training-plan-offerings", "training-plan-extension-offerings"
QUOTA = ("sagemaker", "L-867702E6")
ID_BYTES = 32
"""Ids of offerings are SHA-256 values in the documentation."""
HOURS_A_DAY, DAYS_A_WEEK = 24, 7


@operation("sagemaker", "SearchTrainingPlanOfferings")
def search_training_plan_offerings(call: Call) -> Mapping[str, Any]:
    """Offerings without shortage: one block of capacity each, in one zone."""
    given = call.parameters
    if arn := given.get("TrainingPlanArn"):
        extension = _extension(call, arn, _days(given))
        call.table(EXTENSION_OFFERINGS)[extension["TrainingPlanExtensionOfferingId"]] = {**extension, "plan": arn}
        return {"TrainingPlanOfferings": [], "TrainingPlanExtensionOfferings": [extension]}
    _require_sold(given)
    if not plans_allowed(call):
        raise limit_exceeded(call, 0)
    offerings = [each for target in given["TargetResources"] for each in _offerings(call, target, _days(given))]
    call.table(OFFERINGS).update({each["TrainingPlanOfferingId"]: each for each in offerings})
    return {"TrainingPlanOfferings": offerings}


def plans_allowed(call: Call) -> int:
    """The quota of training plans of the account in the Region."""
    return int(counted_value(call.store, call.account, call.region, QUOTA))


def limit_exceeded(call: Call, used: int) -> Exception:
    """The error of an account that has no further plan."""
    return api_error("sagemaker.plan_limit", name=counted_quotas()[QUOTA].name, limit=plans_allowed(call), used=used)


def _require_sold(given: Mapping[str, Any]) -> None:
    terms = seed_data("training_plans")
    if (unit := given.get("UltraServerType") or given["InstanceType"]) not in terms["types"]:
        raise api_error("sagemaker.plan_type", type_name=unit, types=", ".join(terms["types"]))
    if unknown := [target for target in given["TargetResources"] if target not in terms["targets"]]:
        raise api_error("sagemaker.plan_target", target=unknown[0], targets=", ".join(terms["targets"]))
    if given["InstanceCount"] not in terms["counts"]:
        counts = ", ".join(map(str, terms["counts"]))
        raise api_error("sagemaker.plan_count", count=given["InstanceCount"], counts=counts)


def _days(given: Mapping[str, Any]) -> int:
    """Whole days of the request, one where it states no duration. Raises ServiceError for more than a plan has."""
    days = -(-given.get("DurationHours", HOURS_A_DAY) // HOURS_A_DAY)
    most = seed_data("training_plans")["most_days"]
    if days > most:
        raise api_error("sagemaker.plan_duration", hours=given["DurationHours"], days=most)
    return int(days)


def _offerings(call: Call, target: str, days: int) -> Iterator[Row]:
    """One that starts as early as the request allows, and others on later days; each in the next zone of the type."""
    given, terms = call.parameters, seed_data("training_plans")
    now = CLOCK.now()
    next_minute = now.replace(second=0, microsecond=0) + timedelta(minutes=1 + terms["lead_minutes"])
    earliest = max(next_minute, given.get("StartTimeAfter", next_minute))
    latest = now + timedelta(days=terms["most_days_ahead"])
    end_of_day = time.fromisoformat(terms["end_of_day_utc"]).replace(tzinfo=UTC)
    first_end = datetime.combine(earliest.astimezone(UTC).date() + timedelta(days=1), end_of_day)
    zones = _zone_names(call, given["InstanceType"])
    for number, days_ahead in enumerate(terms["days_ahead"] if zones else ()):
        end = first_end + timedelta(days=days_ahead + days - 1)
        start = end - timedelta(days=days) if days_ahead else earliest
        if start <= latest and end <= given.get("EndTimeBefore", end):
            yield _offering(given, target, zones[number % len(zones)], start, end)


def _offering(given: Mapping[str, Any], target: str, zone: str, start: datetime, end: datetime) -> Row:
    capacity = {
        "ReservedCapacityType": "Instance",
        "InstanceType": given["InstanceType"],
        "InstanceCount": given["InstanceCount"],
        "AvailabilityZone": zone,
        "StartTime": start,
        "EndTime": end,
    }
    asked = {"RequestedStartTimeAfter": "StartTimeAfter", "RequestedEndTimeBefore": "EndTimeBefore"}
    return {
        "TrainingPlanOfferingId": f"tpo-{secrets.token_hex(ID_BYTES)}",
        "TargetResources": [target],
        **{member: given[parameter] for member, parameter in asked.items() if parameter in given},
        **duration_of([capacity]),
        **_price(given["InstanceCount"], end - start),
        "ReservedCapacityOfferings": [{**capacity, **duration_of([capacity])}],
    }


def _price(count: int, length: timedelta) -> dict[str, str]:
    fee = seed_data("training_plans")["usd_per_instance_hour"] * count * (length / timedelta(hours=1))
    return {"UpfrontFee": f"{fee:.2f}", "CurrencyCode": "USD"}


def _zone_names(call: Call, type_name: str) -> list[str]:
    """The names of the zones that offer the type, as offerings have them."""
    row = knowledge().instance_types.get(type_name.removeprefix("ml."))
    offered = row.offered_zone_ids(call.region) if row is not None else ()
    zones = call.client("ec2").describe_availability_zones()["AvailabilityZones"] if offered else []
    return [zone["ZoneName"] for zone in zones if zone["ZoneId"] in offered]


def _extension(call: Call, arn: str, days: int) -> Row:
    """The offering that prolongs the last capacity of a plan. Raises ServiceError for a plan that has ended."""
    row = find_plan(call, arn)
    if row is None:
        raise api_error("sagemaker.plan_unknown", name=arn)
    if (status := status_of(row, CLOCK.now())) not in USABLE:
        raise api_error("sagemaker.plan_to_extend", name=row["TrainingPlanName"], status=status)
    single_days = seed_data("training_plans")["most_single_days_of_an_extension"]
    if days > single_days and days % DAYS_A_WEEK:
        raise api_error("sagemaker.plan_extension_duration", days=days, single_days=single_days)
    length = timedelta(days=days)
    last = max(row["ReservedCapacitySummaries"], key=lambda each: each["EndTime"])
    return {
        "TrainingPlanExtensionOfferingId": f"tpeo-{secrets.token_hex(ID_BYTES)}",
        "AvailabilityZone": last["AvailabilityZone"],
        "StartDate": end_of(row),
        "EndDate": end_of(row) + length,
        "DurationHours": days * HOURS_A_DAY,
        **_price(row["TotalInstanceCount"], length),
    }
