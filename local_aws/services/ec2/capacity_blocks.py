"""Capacity blocks on offer: for the types and UltraServers that are sold so."""

from __future__ import annotations

import secrets
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime, time, timedelta
from typing import Any

from msgspec import Struct

from local_aws.api_errors import api_error
from local_aws.clock import CLOCK
from local_aws.contract import Call
from local_aws.knowledge.current import knowledge
from local_aws.knowledge.rows import InstanceType
from local_aws.registry import operation
from local_aws.services.paging import listing
from local_aws.services.seed_data import seed_data

HOURS_A_DAY = 24
DAYS_A_WEEK = 7


class Unit(Struct, frozen=True):
    """The unit of a block: instances of a type, or UltraServers."""

    row: InstanceType
    ultraserver_type: str | None = None

    @property
    def instances(self) -> int:
        """In one unit."""
        return self.row.ultraserver.instances if self.ultraserver_type and self.row.ultraserver else 1


@operation("ec2", "DescribeCapacityBlockOfferings")
def describe_capacity_block_offerings(call: Call) -> Mapping[str, Any]:
    """Returns offerings without shortage: one in each zone that has the type, starting now and on the next days."""
    given = call.parameters
    unit, count = _wanted(given)
    hours = given["CapacityDurationHours"]
    _require_length(hours)
    first, last = given.get("StartDateRange"), given.get("EndDateRange")
    offerings = [
        offering
        for offering in _offerings(call, unit, count, hours)
        if (first is None or first <= offering["StartDate"]) and (last is None or offering["EndDate"] <= last)
    ]
    call.table("block-offerings").update({each["CapacityBlockOfferingId"]: each for each in offerings})
    return listing(call, "CapacityBlockOfferings", offerings)


def _wanted(given: Mapping[str, Any]) -> tuple[Unit, int]:
    """The unit and how many of it. Raises ServiceError for what is not sold in blocks, or not so many in one."""
    if given.get("UltraserverType") is not None:
        return _ultraservers_of(given["UltraserverType"]), given.get("UltraserverCount", 1)
    unit, count = _blocks_of(given["InstanceType"]), given.get("InstanceCount", 1)
    if not 1 <= count <= seed_data("capacity_blocks")["most_instances"]:
        raise api_error("ec2.block_count", count=count)
    return unit, count


def _blocks_of(type_name: str) -> Unit:
    row = knowledge().instance_types.get(type_name)
    if row is None or "capacity_block" not in (row.purchase_modes or ()):
        raise api_error("ec2.block_type", type_name=type_name)
    return Unit(row)


def _ultraservers_of(type_name: str) -> Unit:
    for row in knowledge().instance_types.values():
        sold = row.ultraserver if "ultraserver_block" in (row.purchase_modes or ()) else None
        if sold is not None and sold.capacity_type == type_name:
            return Unit(row, type_name)
    raise api_error("ec2.block_ultraserver_type", type_name=type_name)


def _require_length(hours: int) -> None:
    """Whole days up to 14, then whole weeks up to 182 days (EC2 user guide, capacity blocks)."""
    lengths = seed_data("capacity_blocks")
    days, rest = divmod(hours, HOURS_A_DAY)
    by_day = 1 <= days <= lengths["most_single_days"]
    by_week = days <= lengths["most_days"] and days % DAYS_A_WEEK == 0
    if rest or days < 1 or not (by_day or by_week):
        raise api_error("ec2.block_duration", hours=hours)


def _offerings(call: Call, unit: Unit, count: int, hours: int) -> Iterator[dict[str, Any]]:
    """A block ends at a fixed hour of the day: one that starts now is up to half a day shorter or longer than asked.

    Of blocks of 24 hours, AWS was seen to offer some of 8 and of 32.
    """
    terms = seed_data("capacity_blocks")
    now = CLOCK.now()
    end_of_day = time.fromisoformat(terms["end_of_day_utc"]).replace(tzinfo=UTC)
    first_end = datetime.combine(now.date() + timedelta(days=1), end_of_day)
    zones = {zone_id: name for name, zone_id in _zone_ids(call).items()}
    of_ultraservers = {"UltraserverType": unit.ultraserver_type, "UltraserverCount": count}
    for zone_id in unit.row.offered_zone_ids(call.region):
        for days_ahead in terms["days_ahead"]:
            end = first_end + timedelta(days=days_ahead) + timedelta(hours=hours - HOURS_A_DAY)
            start = end - timedelta(hours=hours) if days_ahead else now
            fee = terms["usd_per_instance_hour"] * count * unit.instances * hours
            yield {
                "CapacityBlockOfferingId": f"cb-{secrets.token_hex(9)[:17]}",
                "InstanceType": unit.row.name,
                "AvailabilityZone": zones[zone_id],
                "InstanceCount": count * unit.instances,
                **(of_ultraservers if unit.ultraserver_type else {}),
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
