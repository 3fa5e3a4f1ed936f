"""Capacity Block offerings of EC2 (read-only)."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from decimal import Decimal
from typing import Any

from msgspec import Struct

from neuron_cluster.aws.errors import translated
from neuron_cluster.aws.session import Target, client
from neuron_cluster.aws.zone_ids import zone_ids_by_name


class CapacityBlockOffering(Struct, frozen=True):
    """One capacity block offering."""

    id: str
    zone_id: str | None
    """None when EC2 returns no zone, or one that DescribeAvailabilityZones does not list."""
    count: int
    """Instances; UltraServers where the request is for these."""
    start: datetime
    end: datetime
    upfront_fee: Decimal
    currency: str


class OfferingQuestion(Struct, frozen=True, kw_only=True):
    """The request of DescribeCapacityBlockOfferings: instances of a type, or UltraServers of a type."""

    instance_type: str | None = None
    ultraserver_type: str | None = None
    count: int
    hours: int
    earliest_start: datetime | None = None
    latest_end: datetime | None = None


def capacity_block_offerings(target: Target, question: OfferingQuestion) -> list[CapacityBlockOffering]:
    """The offerings of the Region, from all pages. Requires only two ec2:Describe permissions."""
    with translated():
        pages = client(target, "ec2").get_paginator("describe_capacity_block_offerings")
        rows = [row for page in pages.paginate(**_parameters(question)) for row in page["CapacityBlockOfferings"]]
    zone_ids = zone_ids_by_name(target) if rows else {}
    count_key = "UltraserverCount" if question.ultraserver_type else "InstanceCount"
    return [
        CapacityBlockOffering(
            id=row["CapacityBlockOfferingId"],
            zone_id=zone_ids.get(row.get("AvailabilityZone", "")),
            count=row[count_key],
            start=row["StartDate"],
            end=row["EndDate"],
            upfront_fee=Decimal(row["UpfrontFee"]),
            currency=row["CurrencyCode"],
        )
        for row in rows
    ]


def _parameters(question: OfferingQuestion) -> Mapping[str, Any]:
    given = {
        "InstanceType": question.instance_type,
        "InstanceCount": question.count if question.instance_type else None,
        "UltraserverType": question.ultraserver_type,
        "UltraserverCount": question.count if question.ultraserver_type else None,
        "CapacityDurationHours": question.hours,
        "StartDateRange": question.earliest_start,
        "EndDateRange": question.latest_end,
    }
    return {name: value for name, value in given.items() if value is not None}
