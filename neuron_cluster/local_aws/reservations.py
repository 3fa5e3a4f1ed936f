"""Capacity reservations and capacity blocks: their state in time, and who has a place in them.

Source: https://docs.aws.amazon.com/AWSEC2/latest/APIReference/errors-overview.html; of a node group, EKS tells it in
https://docs.aws.amazon.com/eks/latest/APIReference/API_Issue.html as AsgInstanceLaunchFailures.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from datetime import UTC, datetime, timedelta
from typing import Any

from neuron_cluster.local_aws.quotas import RUNNING, running_nodes
from neuron_cluster.local_aws.reservation_groups import reservation_ids
from neuron_cluster.local_aws.service import Call, ServiceError

Row = dict[str, Any]
BLOCK_KIND = "capacity-block"
SCHEDULED = "scheduled"
"""The state of a block that has not begun."""
ENDS_INSTANCES_BEFORE = timedelta(minutes=30)
"""docs.aws.amazon.com/AWSEC2/latest/UserGuide/ec2-capacity-blocks.html: EC2 begins to end a block's instances."""
FULL = "The requested reservation does not have sufficient compatible and available capacity for this request."


def reservations(call: Call) -> dict[str, Row]:
    """The reservations of the account and Region, by id."""
    return call.store.table(call.account, call.region, "ec2.capacity-reservations")


def blocks(call: Call) -> dict[str, Row]:
    """The capacity blocks that were bought in the account and Region, by id."""
    return call.store.table(call.account, call.region, "ec2.capacity-blocks")


def find_reservation(call: Call, reservation_id: str) -> Row:
    row = reservations(call).get(reservation_id)
    if row is None:
        raise ServiceError(
            "InvalidCapacityReservationId.NotFound",
            f"The capacity reservation ID '{reservation_id}' does not exist",
        )
    return row


def state_at(row: Mapping[str, Any], moment: datetime) -> str:
    """The state of a reservation: what was done to it, else by its dates."""
    if row["State"] == "cancelled":
        return "cancelled"
    if row.get("StartDate") is not None and moment < row["StartDate"]:
        return SCHEDULED
    return "expired" if row.get("EndDate") is not None and moment >= row["EndDate"] else "active"


def told(call: Call, row: Row) -> Row:
    """The reservation as DescribeCapacityReservations tells it now."""
    state = state_at(row, datetime.now(UTC))
    free = row["TotalInstanceCount"] - used_places(call, row["CapacityReservationId"]) if state == "active" else 0
    return {**row, "State": state, "AvailableInstanceCount": free}


def used_places(call: Call, reservation_id: str) -> int:
    """Machines that were launched into the reservation and run: instances, and the nodes that groups want."""
    _settle(call)
    nodes: int = sum(each["count"] for each in running_nodes(call) if each["reservation_id"] == reservation_id)
    instances = call.moto_backend("ec2").all_instances()
    launched: int = sum(
        instance.state in RUNNING and getattr(instance, "capacity_reservation_id", None) == reservation_id
        for instance in instances
    )
    return nodes + launched


def _settle(call: Call) -> None:
    """Gives each instance that was launched into a resource group the reservation of it that it runs in."""
    for instance in call.moto_backend("ec2").all_instances():
        group_arn = getattr(instance, "capacity_reservation_group", None)
        if group_arn is None or instance.state not in RUNNING:
            continue
        instance.capacity_reservation_group = None
        zone_id = instance.ec2_backend.get_subnet(instance.subnet_id).availability_zone_id
        zones = {find_reservation(call, each)["AvailabilityZoneId"] for each in reservation_ids(call, group_arn)}
        # Without a subnet in the request EC2 starts the machine where the reservation is; moto does not.
        (reservation_id,) = require_place_in_group(call, group_arn, instance.instance_type, zones & {zone_id}, 1)
        instance.capacity_reservation_id = reservation_id


def require_place(call: Call, reservation_id: str, type_name: str, zone_ids: Collection[str], count: int) -> None:
    """The reservation exists, is active, is of this type and zone, and has ``count`` places free."""
    row = find_reservation(call, reservation_id)
    state = state_at(row, datetime.now(UTC))
    if state == SCHEDULED:
        raise ServiceError(
            "InvalidCapacityReservationState.PendingActivation",
            f"The capacity reservation {reservation_id} is in the state {state}.",
        )
    if state != "active" or _is_ending(row):
        # Source: inferred: the code; EC2 lists only the one for a block that has not begun.
        raise ServiceError(
            "InvalidCapacityReservationState", f"The capacity reservation {reservation_id} is in the state {state}."
        )
    fits = row["InstanceType"] == type_name and set(zone_ids) <= {row["AvailabilityZoneId"]}
    if not fits or count > told(call, row)["AvailableInstanceCount"]:
        raise ServiceError("ReservationCapacityExceeded", FULL)


def require_place_in_group(
    call: Call, group_arn: str, type_name: str, zone_ids: Collection[str], count: int
) -> Mapping[str | None, int]:
    """Fills the reservations of a resource group that fit, one after the other: machines by reservation.

    Refused when all of them together have less room.
    """
    places: dict[str | None, int] = {}
    left = count
    for reservation_id in reservation_ids(call, group_arn):
        row = find_reservation(call, reservation_id)
        fits = row["InstanceType"] == type_name and (not zone_ids or row["AvailabilityZoneId"] in zone_ids)
        free = told(call, row)["AvailableInstanceCount"] if fits and not _is_ending(row) else 0
        if taken := min(left, free):
            places[reservation_id] = taken
            left -= taken
    if left:
        raise ServiceError("ReservationCapacityExceeded", FULL)
    return places


def _is_ending(row: Mapping[str, Any]) -> bool:
    """A block takes no instance in the half hour before its end, in which it ends those that run."""
    is_block = row.get("ReservationType") == BLOCK_KIND
    return is_block and datetime.now(UTC) >= row["EndDate"] - ENDS_INSTANCES_BEFORE
