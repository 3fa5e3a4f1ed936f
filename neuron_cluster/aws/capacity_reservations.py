"""Capacity reservations and capacity blocks as EC2 describes them."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from msgspec import Struct

from neuron_cluster.aws.errors import translated
from neuron_cluster.aws.session import Target, client

BLOCK = "capacity-block"
"""ReservationType of capacity blocks."""


class CapacityReservation(Struct, frozen=True):
    id: str
    state: str
    """``active``, ``scheduled``, ``expired``, …"""
    instance_type: str
    zone_id: str
    """Empty where EC2 does not return it."""
    count: int
    """Instances in all."""
    is_block: bool
    start: datetime | None
    end: datetime | None
    available: int
    """Instances that nothing uses; 0 while the reservation is not active."""
    platform: str
    """``Linux/UNIX``, ``Red Hat Enterprise Linux``, …"""
    tenancy: str
    """``default`` or ``dedicated``."""
    match_criteria: str
    """``open`` or ``targeted``."""
    placement_group_arn: str
    """Empty for a reservation outside of cluster placement groups."""
    owner: str
    """Account that made the reservation, which may share it."""


def reservation_platforms(target: Target) -> frozenset[str]:
    """Names that the platform of a reservation can have, by the API model of EC2."""
    return frozenset(client(target, "ec2").meta.service_model.shape_for("CapacityReservationInstancePlatform").enum)


def capacity_reservations(target: Target, ids: Sequence[str]) -> dict[str, CapacityReservation]:
    """The existing reservations of the account, or shared with it, by id."""
    return {row.id: row for row in all_reservations(target) if row.id in ids} if ids else {}


def all_reservations(target: Target) -> list[CapacityReservation]:
    """All of the account in the Region, and all that are shared with it."""
    with translated():
        pages = client(target, "ec2").get_paginator("describe_capacity_reservations").paginate()
        rows = [row for page in pages for row in page["CapacityReservations"]]  # by id, one unknown would be an error
    return [
        CapacityReservation(
            id=row["CapacityReservationId"],
            state=row["State"],
            instance_type=row["InstanceType"],
            zone_id=row.get("AvailabilityZoneId", ""),
            count=row["TotalInstanceCount"],
            is_block=row.get("ReservationType") == BLOCK,
            start=row.get("StartDate"),
            end=row.get("EndDate"),
            available=row.get("AvailableInstanceCount", 0),
            platform=row.get("InstancePlatform", ""),
            tenancy=row.get("Tenancy", ""),
            match_criteria=row.get("InstanceMatchCriteria", ""),
            placement_group_arn=row.get("PlacementGroupArn", ""),
            owner=row.get("OwnerId", ""),
        )
        for row in rows
    ]


def unavailable_instances(target: Target) -> dict[str, int]:
    """Instances of capacity blocks that failed a system check, by id of the reservation; 0 where none did.

    Source: https://docs.aws.amazon.com/AWSEC2/latest/APIReference/API_CapacityReservationStatus.html
    """
    with translated():
        pages = client(target, "ec2").get_paginator("describe_capacity_block_status").paginate()
        rows = [row for page in pages for block in page["CapacityBlockStatuses"] for row in _statuses(block)]
    return {row["CapacityReservationId"]: row.get("TotalUnavailableCapacity", 0) for row in rows}


def _statuses(block: dict[str, Any]) -> Sequence[dict[str, Any]]:
    found: Sequence[dict[str, Any]] = block.get("CapacityReservationStatuses", ())
    return found


def reservations_of_group(target: Target, arn: str) -> list[str] | None:
    """Ids of the reservations in a resource group; None when there is no such group."""
    groups = client(target, "resource-groups")
    with translated():
        try:
            pages = groups.get_paginator("list_group_resources").paginate(Group=arn)
            rows = [row["Identifier"] for page in pages for row in page.get("Resources", ())]
        except groups.exceptions.NotFoundException:
            return None
    return [row["ResourceArn"].rpartition("/")[2] for row in rows if ":capacity-reservation/" in row["ResourceArn"]]
