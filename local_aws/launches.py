"""Why EC2 would refuse a launch, by RunInstances, StartInstances or for a node group."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from msgspec.structs import replace

from local_aws.api_errors import api_error
from local_aws.contract import Call, ServiceError
from local_aws.knowledge.current import knowledge
from local_aws.launch import CAPACITY_BLOCK, SPOT, Launch
from local_aws.quotas import require_vcpus
from local_aws.reservations import BLOCK_KIND, find_reservation, open_places, require_place, require_place_in_group
from local_aws.running_capacity import running


def require_capacity(call: Call, launch: Launch, outside: int) -> None:
    """Refused when EC2 has fewer than ``outside`` such machines left; those in reservations are had in any case."""
    scarcity = call.store.scarce.get(launch.instance_type)
    if scarcity is None or outside <= machines_left(call, launch):
        return
    scarcity.injected += 1
    zones = ", ".join(sorted(zone.name for zone in launch.zones))
    raise api_error("ec2.no_capacity", instance_type=launch.instance_type, zones=zones)


def machines_left(call: Call, launch: Launch) -> int:
    """How many machines of the launch EC2 has outside reservations; as many as it asks for where none is scarce."""
    scarcity = call.store.scarce.get(launch.instance_type)
    if scarcity is None:
        return launch.count
    alike = (each for each in running(call) if each.instance_type == launch.instance_type)
    return max(0, scarcity.available - sum(each.count for each in alike if each.reservation_id is None))


def require_launchable(call: Call, launch: Launch) -> Mapping[str | None, int]:
    """Raises EC2's refusal of a launch: the zone, the reservation, the quota.

    Gives how many machines run in which reservation; None stands for no reservation. What is reserved counts against
    the quota already, and what runs in a block does not.
    """
    require_offered(call, launch)
    places = _places(call, launch)
    outside = places.get(None, 0)
    if outside and launch.market != CAPACITY_BLOCK:
        require_vcpus(call, launch.instance_type, outside, spot=launch.market == SPOT)
        require_capacity(call, launch, outside)
    return places


def launch_most(call: Call, launch: Launch) -> tuple[Mapping[str | None, int], ServiceError | None]:
    """As many of the launch as EC2 has a place for, by reservation; and what it says of the others."""
    try:
        return require_launchable(call, launch), None
    except ServiceError as error:
        refused = error
    scarcity = call.store.scarce.get(launch.instance_type)
    times = scarcity.injected if scarcity is not None else 0
    found: Mapping[str | None, int] = {}
    minimum, maximum = 0, launch.count - 1
    while minimum < maximum:
        middle = (minimum + maximum + 1) // 2
        try:
            found = require_launchable(call, replace(launch, count=middle))
        except ServiceError:
            maximum = middle - 1
        else:
            minimum = middle
    if scarcity is not None:  # to look for the number is no launch
        scarcity.injected = times
    return found, refused


def _places(call: Call, launch: Launch) -> Mapping[str | None, int]:
    if launch.reservation_id is not None:
        _require_purchase_option(call, launch, launch.reservation_id)
        require_place(call, launch.reservation_id, launch)
        return {launch.reservation_id: launch.count}
    if launch.reservation_group is not None:
        return require_place_in_group(call, launch.reservation_group, launch)
    return open_places(call, launch) if launch.takes_open_reservations else {None: launch.count}


def _require_purchase_option(call: Call, launch: Launch, reservation_id: str) -> None:
    """A block takes launches of its own market alone, another reservation those on demand."""
    is_block = find_reservation(call, reservation_id)["ReservationType"] == BLOCK_KIND
    if is_block and launch.market != CAPACITY_BLOCK:
        raise api_error("ec2.market_of_block", reservation_id=reservation_id)
    if not is_block and launch.market is not None:
        raise api_error("ec2.market_of_reservation", reservation_id=reservation_id, market=launch.market)


def _zone_names(call: Call, zone_ids: Collection[str]) -> list[str]:
    zones = call.moto_backend("ec2").describe_availability_zones()
    return [zone.name for zone in zones if zone.zone_id in zone_ids]


def require_offered(call: Call, launch: Launch) -> None:
    """The zones offer the type, as far as the catalog has a record of where it is offered."""
    row = knowledge().instance_types.get(launch.instance_type)
    if row is None or not row.zone_ids:
        return
    offered = row.offered_zone_ids(call.region)
    for zone_id, zone in launch.zones:
        if zone_id not in offered:
            others = [name for each, name in launch.zones if each in offered] or _zone_names(call, offered)
            advice = "Please retry your request by not specifying an Availability Zone"
            choice = f" or choosing {', '.join(others)}" if others else ""
            raise api_error(
                "ec2.type_not_offered", instance_type=launch.instance_type, zone=zone, advice=advice, choice=choice
            )
