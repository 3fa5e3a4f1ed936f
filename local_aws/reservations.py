"""Capacity reservations and capacity blocks: their state in time, and who has a place in them; their groups."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime, timedelta
from typing import Any

from msgspec.structs import replace

from local_aws.api_errors import api_error
from local_aws.clock import CLOCK
from local_aws.contract import Call
from local_aws.launch import CAPACITY_BLOCK, RESERVATIONS_ONLY, Launch, platform_of
from local_aws.running_capacity import RUNNING, running

Row = dict[str, Any]
BLOCK_KIND = "capacity-block"
SCHEDULED = "scheduled"
"""The state of a block that has not begun."""
ENDS_INSTANCES_BEFORE = timedelta(minutes=30)
"""docs.aws.amazon.com/AWSEC2/latest/UserGuide/ec2-capacity-blocks.html: EC2 begins to end a block's instances."""
OPEN = "open"


def reservations(call: Call) -> dict[str, Row]:
    """The reservations of the account and Region, by id."""
    return call.store.table(call.account, call.region, "ec2.capacity-reservations")


def blocks(call: Call) -> dict[str, Row]:
    """The capacity blocks that were bought in the account and Region, by id."""
    return call.store.table(call.account, call.region, "ec2.capacity-blocks")


def find_reservation(call: Call, reservation_id: str) -> Row:
    row = reservations(call).get(reservation_id)
    if row is None:
        raise api_error("ec2.no_reservation", reservation_id=reservation_id)
    return row


def state_at(row: Mapping[str, Any], moment: datetime) -> str:
    """The state of a reservation: what was done to it, else by its dates."""
    if row["State"] == "cancelled":
        return "cancelled"
    if row.get("StartDate") is not None and moment < row["StartDate"]:
        return SCHEDULED
    return "expired" if row.get("EndDate") is not None and moment >= row["EndDate"] else "active"


def reported(call: Call, row: Row) -> Row:
    """The reservation as DescribeCapacityReservations returns it now."""
    state = state_at(row, CLOCK.now())
    free = row["TotalInstanceCount"] - used_places(call, row["CapacityReservationId"]) if state == "active" else 0
    return {**row, "State": state, "AvailableInstanceCount": free}


def used_places(call: Call, reservation_id: str) -> int:
    """Instances that were launched into the reservation and run."""
    assign_reservations(call)
    return _used_now(call, reservation_id)


def _used_now(call: Call, reservation_id: str) -> int:
    return sum(each.count for each in running(call) if each.reservation_id == reservation_id)


def assign_reservations(call: Call) -> None:
    """Gives instances that named no single reservation the one that they run in, as far as there is one.

    What was launched into a resource group has a place in it. What takes any open reservation gets one also when that
    is made after it, and loses it when it ends or stops:
    https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/ec2-capacity-reservations.html
    """
    for instance in call.moto_backend("ec2").all_instances():
        launch: Launch | None = getattr(instance, "launch", None)
        if launch is None or launch.reservation_id is not None:
            continue
        if instance.state not in RUNNING or not _holds(call, getattr(instance, "capacity_reservation_id", None)):
            instance.capacity_reservation_id = None
        if instance.state in RUNNING and instance.capacity_reservation_id is None:
            now = replace(launch, instance_type=instance.instance_type)  # which may have changed since the launch
            instance.capacity_reservation_id = _place_of(call, now, instance)


def _holds(call: Call, reservation_id: str | None) -> bool:
    row = reservations(call).get(reservation_id or "")
    return row is not None and state_at(row, CLOCK.now()) == "active"


def _place_of(call: Call, launch: Launch, instance: Any) -> str | None:
    """The first reservation that carries this instance, where it stands."""
    rows = _rows_in_group(call, launch.reservation_group) if launch.reservation_group is not None else _open_rows(call)
    if launch.reservation_group is None and not launch.takes_open_reservations:
        return None
    zone = instance.ec2_backend.get_subnet(instance.subnet_id).availability_zone_id
    return next(
        (row["CapacityReservationId"] for row in rows if _fits(call, row, launch, {zone}) and _free(call, row)), None
    )


def require_place(call: Call, reservation_id: str, launch: Launch) -> None:
    """The reservation exists, is active, fits the launch, and has room for it."""
    row = find_reservation(call, reservation_id)
    state = state_at(row, CLOCK.now())
    if state == SCHEDULED:
        raise api_error("ec2.reservation_pending", reservation_id=reservation_id, state=state)
    if state != "active" or _is_ending(row):
        raise api_error("ec2.reservation_state", reservation_id=reservation_id, state=state)
    assign_reservations(call)
    fits = _fits(call, row, launch, launch.zone_ids) and launch.zone_ids <= {row["AvailabilityZoneId"]}
    if not fits or launch.count > _free(call, row):
        raise api_error("ec2.reservation_full")


def require_place_in_group(call: Call, group_arn: str, launch: Launch) -> Mapping[str | None, int]:
    """Fills the reservations of a resource group that fit: machines by reservation.

    Refused when all of them together have less room.
    """
    places, left = _filled(call, _rows_in_group(call, group_arn), launch)
    if left:
        raise api_error("ec2.reservation_full")
    return places


def open_places(call: Call, launch: Launch) -> Mapping[str | None, int]:
    """Fills the open reservations that fit: machines by reservation, None for those outside reservations.

    https://docs.aws.amazon.com/AWSEC2/latest/APIReference/API_CapacityReservationSpecification.html. Refused where the
    launch wants nothing but reservations, and they have less room.
    """
    places, left = _filled(call, _open_rows(call), launch)
    if left and launch.preference == RESERVATIONS_ONLY:
        raise api_error("ec2.reservation_full")
    return {**places, None: left} if left else places


def _rows_in_group(call: Call, group_arn: str) -> list[Row]:
    return [find_reservation(call, each) for each in reservation_ids(call, group_arn)]


def _open_rows(call: Call) -> list[Row]:
    return [row for row in reservations(call).values() if row["InstanceMatchCriteria"] == OPEN]


def _filled(call: Call, rows: Iterable[Row], launch: Launch) -> tuple[dict[str | None, int], int]:
    """Machines by reservation, one reservation after the other, and how many are left."""
    assign_reservations(call)
    places: dict[str | None, int] = {}
    left = launch.count
    for row in rows:
        free = _free(call, row) if _fits(call, row, launch, launch.zone_ids) else 0
        if taken := min(left, free):
            places[row["CapacityReservationId"]] = taken
            left -= taken
    return places, left


def _fits(call: Call, row: Mapping[str, Any], launch: Launch, zone_ids: Iterable[str]) -> bool:
    """Whether it is of the launch's market, type, platform and tenancy, and in one of the zones, if any."""
    zones = set(zone_ids)
    return (
        launch.market == (CAPACITY_BLOCK if row["ReservationType"] == BLOCK_KIND else None)
        and row["InstanceType"] == launch.instance_type
        and row["InstancePlatform"] == platform_of(call.moto_backend("ec2").amis.get(launch.image_id))
        and row["Tenancy"] == launch.tenancy
        and (not zones or row["AvailabilityZoneId"] in zones)
    )


def _free(call: Call, row: Row) -> int:
    """Places that a launch may take now. Instances must be settled."""
    if state_at(row, CLOCK.now()) != "active" or _is_ending(row):
        return 0
    free: int = row["TotalInstanceCount"] - _used_now(call, row["CapacityReservationId"])
    return max(0, free)


def _is_ending(row: Mapping[str, Any]) -> bool:
    """A block takes no instance in the half hour before its end, in which it ends those that run."""
    is_block = row.get("ReservationType") == BLOCK_KIND
    return is_block and CLOCK.now() >= row["EndDate"] - ENDS_INSTANCES_BEFORE


TABLE = "resource-groups.members"
POOL = "AWS::EC2::CapacityReservationPool"


def members(call: Call, group_arn: str) -> list[str]:
    """ARNs of the members, in the order in which they came."""
    found: list[str] = call.store.table(call.account, call.region, TABLE).setdefault(group_arn, [])
    return found


def reservation_ids(call: Call, group_arn: str) -> list[str]:
    """Ids of the reservations of a group."""
    groups = call.moto_backend("resource-groups").list_groups()
    group = next((each for each in groups.values() if each.arn == group_arn), None)
    if group is None or POOL not in [item["Type"] for item in group.configuration or ()]:
        raise api_error("ec2.no_reservation_group", group_arn=group_arn)
    return [arn.rpartition("/")[2] for arn in members(call, group_arn)]
