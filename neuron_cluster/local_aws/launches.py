"""A launch of instances, by RunInstances or for a node group, and why EC2 would refuse it.

Source: https://docs.aws.amazon.com/AWSEC2/latest/APIReference/errors-overview.html; of a node group, EKS tells it in
https://docs.aws.amazon.com/eks/latest/APIReference/API_Issue.html as AsgInstanceLaunchFailures.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from msgspec import Struct

from neuron_cluster.catalog.instance_type import instance_type
from neuron_cluster.local_aws.quotas import require_vcpus
from neuron_cluster.local_aws.reservations import BLOCK_KIND, find_reservation, require_place, require_place_in_group
from neuron_cluster.local_aws.service import Call, ServiceError

CAPACITY_BLOCK = "capacity-block"
SPOT = "spot"


class Launch(Struct, frozen=True):
    """So many machines of one type in these zones."""

    instance_type: str
    count: int
    zones: Mapping[str, str]
    """Zone ids, each with the zone's name in this account; empty where none is asked for."""
    market: str | None = None
    """``spot``, ``capacity-block``, or None: on demand."""
    reservation_id: str | None = None
    """The capacity reservation that the launch targets."""
    reservation_group: str | None = None
    """ARN of the resource group of reservations that it targets instead."""


def launch_of(data: Mapping[str, Any], count: int, subnets: Sequence[Mapping[str, Any]]) -> Launch | None:
    """The launch that a request or a launch template describes; None when it names no instance type."""
    if not data.get("InstanceType"):
        return None
    target = data.get("CapacityReservationSpecification", {}).get("CapacityReservationTarget", {})
    return Launch(
        instance_type=data["InstanceType"],
        count=count,
        zones={subnet["AvailabilityZoneId"]: subnet["AvailabilityZone"] for subnet in subnets},
        market=data.get("InstanceMarketOptions", {}).get("MarketType"),
        reservation_id=target.get("CapacityReservationId"),
        reservation_group=target.get("CapacityReservationResourceGroupArn"),
    )


def require_launchable(call: Call, launch: Launch) -> Mapping[str | None, int]:
    """Raises EC2's refusal of a launch: the zone, the reservation, the quota.

    Gives how many machines run in which reservation; None stands for no reservation.
    """
    require_offered(call, launch)
    places: Mapping[str | None, int] = {launch.reservation_id: launch.count}
    if launch.reservation_id is not None:
        _require_market(call, launch, launch.reservation_id)
        require_place(call, launch.reservation_id, launch.instance_type, launch.zones, launch.count)
    elif launch.reservation_group is not None:
        group = launch.reservation_group
        places = require_place_in_group(call, group, launch.instance_type, launch.zones, launch.count)
    if launch.market != CAPACITY_BLOCK:
        require_vcpus(call, launch.instance_type, launch.count, spot=launch.market == SPOT)
    return places


def _require_market(call: Call, launch: Launch, reservation_id: str) -> None:
    """A block takes launches of its own market alone.

    Source: inferred: code and words; that the market must be named says
    https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/capacity-blocks-launch.html
    """
    kind = find_reservation(call, reservation_id)["ReservationType"]
    if kind == BLOCK_KIND and launch.market != CAPACITY_BLOCK:
        words = f"{reservation_id} is a capacity block: MarketType must be {CAPACITY_BLOCK}."
        raise ServiceError("InvalidParameterCombination", words)


def _zone_names(call: Call, zone_ids: Collection[str]) -> list[str]:
    zones = call.moto_backend("ec2").describe_availability_zones()
    return [zone.name for zone in zones if zone.zone_id in zone_ids]


def require_offered(call: Call, launch: Launch) -> None:
    """The zones offer the type, as far as the catalog has a record of where it is offered."""
    row = instance_type(launch.instance_type)
    if row is None or not row.zone_ids:
        return
    offered = row.offered_zone_ids(call.region)
    for zone_id, zone in launch.zones.items():
        if zone_id not in offered:
            others = [name for each, name in launch.zones.items() if each in offered] or _zone_names(call, offered)
            advice = "Please retry your request by not specifying an Availability Zone"
            choice = f" or choosing {', '.join(others)}" if others else ""
            raise ServiceError(
                "Unsupported",
                f"Your requested instance type ({launch.instance_type}) is not supported in your requested "
                f"Availability Zone ({zone}). {advice}{choice}.",
            )
