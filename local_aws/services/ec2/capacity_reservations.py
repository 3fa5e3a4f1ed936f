"""On-demand capacity reservations: moto has none."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from typing import Any

from local_aws.api_errors import api_error
from local_aws.clock import CLOCK
from local_aws.contract import Call
from local_aws.launch import Launch, Zone
from local_aws.launches import require_offered
from local_aws.quotas import require_vcpus
from local_aws.registry import operation
from local_aws.reservations import Row, find_reservation, reported, reservations
from local_aws.services.ec2.instance_types import require_instance_type
from local_aws.services.paging import listing

FILTERS = {
    "instance-type": "InstanceType",
    "state": "State",
    "availability-zone": "AvailabilityZone",
    "availability-zone-id": "AvailabilityZoneId",
    "reservation-type": "ReservationType",
    "tenancy": "Tenancy",
}


@operation("ec2", "CreateCapacityReservation")
def create_capacity_reservation(call: Call) -> Mapping[str, Any]:
    """Counts against the quota as running instances do; active at once, as an immediate one is."""
    given = call.parameters
    if "EndDate" in given and given["EndDate"] <= CLOCK.now():
        raise api_error("ec2.reservation_end_past")
    require_instance_type(given["InstanceType"])
    zone = zone_of(call, given)
    launch = Launch(given["InstanceType"], given["InstanceCount"], (Zone(zone["ZoneId"], zone["ZoneName"]),))
    require_offered(call, launch)
    require_vcpus(call, launch.instance_type, launch.count, spot=False)
    row = new_reservation(
        call,
        zone,
        InstanceType=given["InstanceType"],
        InstancePlatform=given["InstancePlatform"],
        TotalInstanceCount=given["InstanceCount"],
        EndDateType=given.get("EndDateType", "unlimited"),
        InstanceMatchCriteria=given.get("InstanceMatchCriteria", "open"),
        Tenancy=given.get("Tenancy", "default"),
        ReservationType="default",
        **{member: given[member] for member in ("EndDate", "PlacementGroupArn") if member in given},
    )
    answer = {"CapacityReservation": reported(call, row)}
    reservations(call)[row["CapacityReservationId"]] = row
    return answer


@operation("ec2", "DescribeCapacityReservations")
def describe_capacity_reservations(call: Call) -> Mapping[str, Any]:
    given = call.parameters
    wanted = given.get("CapacityReservationIds") or list(reservations(call))
    rows = [reported(call, find_reservation(call, reservation_id)) for reservation_id in wanted]
    for each in given.get("Filters", []):
        if each["Name"] not in FILTERS:
            raise api_error("ec2.filter", name=each["Name"])
        rows = [row for row in rows if row[FILTERS[each["Name"]]] in each["Values"]]
    return listing(call, "CapacityReservations", rows)


@operation("ec2", "ModifyCapacityReservation")
def modify_capacity_reservation(call: Call) -> Mapping[str, Any]:
    """Its count, end and match criteria."""
    given = call.parameters
    if "EndDate" in given and given["EndDate"] <= CLOCK.now():
        raise api_error("ec2.reservation_end_past")
    row = find_reservation(call, given["CapacityReservationId"])
    more = given.get("InstanceCount", row["TotalInstanceCount"]) - row["TotalInstanceCount"]
    require_vcpus(call, row["InstanceType"], max(more, 0), spot=False)
    row["TotalInstanceCount"] += more
    row.update({name: given[name] for name in ("InstanceMatchCriteria", "EndDateType", "EndDate") if name in given})
    if given.get("EndDateType") == "unlimited":
        row.pop("EndDate", None)
    return {"Return": True}


@operation("ec2", "CancelCapacityReservation")
def cancel_capacity_reservation(call: Call) -> Mapping[str, Any]:
    """A block is paid for its time and stays; so does what has ended."""
    row = find_reservation(call, call.parameters["CapacityReservationId"])
    state = reported(call, row)["State"]
    if row["ReservationType"] != "default" or state != "active":
        raise api_error(
            "ec2.reservation_not_cancellable",
            capacity_reservation_id=row["CapacityReservationId"],
            reservation_type=row["ReservationType"],
            state=state,
        )
    row["State"] = "cancelled"
    return {"Return": True}


def zone_of(call: Call, given: Mapping[str, Any]) -> dict[str, Any]:
    """The zone that a request names by name, id or both."""
    names = {
        key: given[member]
        for member, key in (("AvailabilityZone", "ZoneName"), ("AvailabilityZoneId", "ZoneId"))
        if given.get(member)
    }
    if not names:
        raise api_error("ec2.zone_required")
    zones: list[dict[str, Any]] = call.client("ec2").describe_availability_zones()["AvailabilityZones"]
    for zone in zones:
        if all(zone[key] == name for key, name in names.items()):
            return zone
    raise api_error("ec2.zone_invalid", names=", ".join(names.values()))


def new_reservation(call: Call, zone: Mapping[str, Any], **members: Any) -> Row:
    """The row of a reservation that begins now unless told otherwise, for its caller to keep."""
    reservation_id = f"cr-{secrets.token_hex(9)[:17]}"
    now = CLOCK.now()
    return {
        "CapacityReservationId": reservation_id,
        "OwnerId": call.account,
        "CapacityReservationArn": f"arn:aws:ec2:{call.region}:{call.account}:capacity-reservation/{reservation_id}",
        "AvailabilityZone": zone["ZoneName"],
        "AvailabilityZoneId": zone["ZoneId"],
        "Tenancy": "default",
        "EbsOptimized": call.parameters.get("EbsOptimized", False),
        "EphemeralStorage": False,
        "State": "active",
        "StartDate": now,
        "CreateDate": now,
        "Tags": [
            tag
            for each in call.parameters.get("TagSpecifications", [])
            if each.get("ResourceType") == "capacity-reservation"
            for tag in each.get("Tags", [])
        ],
        **members,
    }
