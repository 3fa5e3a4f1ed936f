"""Capacity blocks: offerings for the types that are sold so, and their purchase."""

from __future__ import annotations

import secrets
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime, time, timedelta
from typing import Any

from neuron_cluster.catalog.instance_type import InstanceType, instance_type
from neuron_cluster.local_aws.operations.ec2_capacity_reservations import new_reservation
from neuron_cluster.local_aws.operations.paging import page
from neuron_cluster.local_aws.operations.seed_data import seed_data
from neuron_cluster.local_aws.reservations import BLOCK_KIND, told
from neuron_cluster.local_aws.service import Call, ServiceError, operation

HOURS_A_DAY = 24
DAYS_A_WEEK = 7


@operation("ec2", "DescribeCapacityBlockOfferings")
def describe_capacity_block_offerings(call: Call) -> Mapping[str, Any]:
    """What a market of plenty would offer: one in each zone that has the type, starting now and on the next days."""
    given = call.parameters
    row = _blocks_of(given.get("InstanceType"))
    count, hours = given.get("InstanceCount", 1), given["CapacityDurationHours"]
    _require_length(hours)
    if not 1 <= count <= seed_data("capacity_blocks")["most_instances"]:
        raise ServiceError("InvalidParameterValue", f"The instance count {count} is not offered.")
    offerings = [
        offering
        for offering in _offerings(call, row, count, hours)
        if given.get("StartDateRange", offering["StartDate"]) <= offering["StartDate"]
        and offering["EndDate"] <= given.get("EndDateRange", offering["EndDate"])
    ]
    call.table("block-offerings").update({each["CapacityBlockOfferingId"]: each for each in offerings})
    refusal = ServiceError("InvalidNextToken", "The token is invalid.")
    found, token = page(offerings, given.get("MaxResults"), given.get("NextToken"), refusal)
    return {"CapacityBlockOfferings": found, "NextToken": token} if token else {"CapacityBlockOfferings": found}


@operation("ec2", "PurchaseCapacityBlock")
def purchase_capacity_block(call: Call) -> Mapping[str, Any]:
    """An offering is sold once. What it costs is told; nothing is paid here."""
    offering = call.table("block-offerings").pop(call.parameters["CapacityBlockOfferingId"], None)
    if offering is None:
        raise ServiceError(
            "InvalidCapacityBlockOfferingId.NotFound",
            f"The capacity block offering '{call.parameters['CapacityBlockOfferingId']}' does not exist",
        )
    block_id = f"cb-{secrets.token_hex(9)[:17]}"
    row = new_reservation(
        call,
        {"ZoneName": offering["AvailabilityZone"], "ZoneId": _zone_ids(call)[offering["AvailabilityZone"]]},
        InstanceType=offering["InstanceType"],
        InstancePlatform=call.parameters["InstancePlatform"],
        TotalInstanceCount=offering["InstanceCount"],
        StartDate=offering["StartDate"],
        EndDate=offering["EndDate"],
        EndDateType="limited",
        InstanceMatchCriteria="targeted",
        ReservationType=BLOCK_KIND,
        CapacityBlockId=block_id,
    )
    return {"CapacityReservation": told(call, row), "CapacityReservations": [told(call, row)]}


def _blocks_of(type_name: str | None) -> InstanceType:
    if type_name is None:
        raise ServiceError("MissingParameter", "The request must contain the parameter InstanceType")
    row = instance_type(type_name)
    if row is None or "capacity_block" not in (row.purchase_modes or ()):
        raise ServiceError("InvalidParameterValue", f"The instance type {type_name} is not offered in capacity blocks.")
    return row


def _require_length(hours: int) -> None:
    """Whole days up to 14, then whole weeks up to 182 days (EC2 user guide, capacity blocks)."""
    lengths = seed_data("capacity_blocks")
    days, rest = divmod(hours, HOURS_A_DAY)
    by_day = 1 <= days <= lengths["most_single_days"]
    by_week = days <= lengths["most_days"] and days % DAYS_A_WEEK == 0
    if rest or days < 1 or not (by_day or by_week):
        raise ServiceError("InvalidParameterValue", f"The capacity duration of {hours} hours is not offered.")


def _offerings(call: Call, row: InstanceType, count: int, hours: int) -> Iterator[dict[str, Any]]:
    """A block ends at a fixed hour of the day, so that one that starts now is shorter than asked for by up to a day."""
    terms = seed_data("capacity_blocks")
    now = datetime.now(UTC)
    end_of_day = time.fromisoformat(terms["end_of_day_utc"]).replace(tzinfo=UTC)
    first_end = datetime.combine(now.date() + timedelta(days=1), end_of_day)
    zones = {zone_id: name for name, zone_id in _zone_ids(call).items()}
    for zone_id in row.offered_zone_ids(call.region):
        for days_ahead in terms["days_ahead"]:
            end = first_end + timedelta(days=days_ahead) + timedelta(hours=hours - HOURS_A_DAY)
            start = end - timedelta(hours=hours) if days_ahead else now
            fee = terms["usd_per_instance_hour"] * count * hours
            yield {
                "CapacityBlockOfferingId": f"cb-{secrets.token_hex(9)[:17]}",
                "InstanceType": row.name,
                "AvailabilityZone": zones[zone_id],
                "InstanceCount": count,
                "StartDate": start,
                "EndDate": end,
                "CapacityBlockDurationHours": hours,
                "UpfrontFee": f"{fee:.2f}",
                "CurrencyCode": "USD",
                "Tenancy": "default",
            }


def _zone_ids(call: Call) -> dict[str, str]:
    """Zone id by the zone's name in this account."""
    zones = call.client("ec2").describe_availability_zones()["AvailabilityZones"]
    return {zone["ZoneName"]: zone["ZoneId"] for zone in zones}
