"""Offerings of capacity blocks as recorded answers of EC2, in the form that it documents."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from botocore.stub import Stubber

CALL = "describe_capacity_block_offerings"
START = datetime(2026, 12, 1, 11, 30, tzinfo=UTC)


def add_offers(stub: Stubber, *fees: str, zone_ids: tuple[str, ...] = ("use2-az3",)) -> None:
    """The answer to one query: an offering of a day for each fee in USD, in these zones one after the other."""
    zones = {f"zone-{number}": zone_id for number, zone_id in enumerate(zone_ids)}
    names = list(zones)
    rows = [
        {
            "CapacityBlockOfferingId": f"cb-{fee}",
            "AvailabilityZone": names[number % len(names)],
            "InstanceCount": 1,
            "StartDate": START,
            "EndDate": START + timedelta(hours=24),
            "UpfrontFee": fee,
            "CurrencyCode": "USD",
        }
        for number, fee in enumerate(fees)
    ]
    stub.add_response(CALL, {"CapacityBlockOfferings": rows})
    described = [{"ZoneName": name, "ZoneId": zone_id} for name, zone_id in zones.items()]
    stub.add_response("describe_availability_zones", {"AvailabilityZones": described})
