"""Capacity blocks that are bought: the purchase, what they are, what room they have."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from typing import Any

from local_aws.api_errors import api_error
from local_aws.contract import Call
from local_aws.registry import operation
from local_aws.reservations import BLOCK_KIND, Row, blocks, find_reservation, reported, reservations
from local_aws.services.ec2.capacity_reservations import new_reservation, zone_of
from local_aws.services.paging import listing

FILTERS = {
    "capacity-block-id": "CapacityBlockId",
    "ultraserver-type": "UltraserverType",
    "availability-zone": "AvailabilityZone",
    "state": "State",
}


@operation("ec2", "PurchaseCapacityBlock")
def purchase_capacity_block(call: Call) -> Mapping[str, Any]:
    """An offering is sold once. What it costs is told; nothing is paid here.

    One reservation holds the block, UltraServers too: how many a block of several UltraServers has is not documented.
    """
    offering = call.table("block-offerings").pop(call.parameters["CapacityBlockOfferingId"], None)
    if offering is None:
        raise api_error("ec2.no_block_offering", capacity_block_offering_id=call.parameters["CapacityBlockOfferingId"])
    row = new_reservation(
        call,
        zone_of(call, offering),
        InstanceType=offering["InstanceType"],
        InstancePlatform=call.parameters["InstancePlatform"],
        TotalInstanceCount=offering["InstanceCount"],
        StartDate=offering["StartDate"],
        EndDate=offering["EndDate"],
        EndDateType="limited",
        InstanceMatchCriteria="targeted",
        ReservationType=BLOCK_KIND,
        CapacityBlockId=f"cb-{secrets.token_hex(9)[:17]}",
    )
    block = _new_block(call, row, offering.get("UltraserverType"))
    reservations(call)[row["CapacityReservationId"]] = row
    return {
        "CapacityReservation": reported(call, row),
        "CapacityReservations": [reported(call, row)],
        "CapacityBlocks": [{**block, "State": reported(call, row)["State"]}],
    }


def _new_block(call: Call, row: Row, ultraserver_type: str | None) -> Row:
    """Keeps what was bought, for DescribeCapacityBlocks."""
    block = {
        "CapacityBlockId": row["CapacityBlockId"],
        "CapacityReservationIds": [row["CapacityReservationId"]],
        **{name: row[name] for name in ("AvailabilityZone", "AvailabilityZoneId", "StartDate", "EndDate")},
        **{name: row[name] for name in ("CreateDate", "Tags")},
        **({"UltraserverType": ultraserver_type} if ultraserver_type else {}),
    }
    blocks(call)[row["CapacityBlockId"]] = block
    return block


@operation("ec2", "DescribeCapacityBlocks")
def describe_capacity_blocks(call: Call) -> Mapping[str, Any]:
    rows = [{**block, "State": _reservation(call, block)["State"]} for block in _requested_blocks(call)]
    for each in call.parameters.get("Filters", []):
        if each["Name"] not in FILTERS:
            raise api_error("ec2.filter", name=each["Name"])
        rows = [row for row in rows if row.get(FILTERS[each["Name"]]) in each["Values"]]
    return listing(call, "CapacityBlocks", rows)


@operation("ec2", "DescribeCapacityBlockStatus")
def describe_capacity_block_status(call: Call) -> Mapping[str, Any]:
    """Nothing is ever impaired here."""
    statuses = []
    for block in _requested_blocks(call):
        row = _reservation(call, block)
        room = {
            "TotalCapacity": row["TotalInstanceCount"],
            "TotalAvailableCapacity": row["AvailableInstanceCount"],
            "TotalUnavailableCapacity": 0,
        }
        statuses.append(
            {
                "CapacityBlockId": block["CapacityBlockId"],
                "InterconnectStatus": "ok",
                **room,
                "CapacityReservationStatuses": [{"CapacityReservationId": row["CapacityReservationId"], **room}],
            }
        )
    return listing(call, "CapacityBlockStatuses", statuses)


def _requested_blocks(call: Call) -> list[Row]:
    """The blocks that the request names, or all."""
    known = blocks(call)
    for block_id in call.parameters.get("CapacityBlockIds", []):
        if block_id not in known:
            raise api_error("ec2.no_block", block_id=block_id)
    return [known[block_id] for block_id in call.parameters.get("CapacityBlockIds") or known]


def _reservation(call: Call, block: Row) -> Row:
    (reservation_id,) = block["CapacityReservationIds"]
    return reported(call, find_reservation(call, reservation_id))
