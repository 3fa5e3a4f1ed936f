"""Resource groups of capacity reservations: who is a member, and what a launch that targets one finds."""

from __future__ import annotations

from local_aws.api_errors import api_error
from local_aws.service import Call

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
