"""A launch of instances: what RunInstances, StartInstances or a node group asks EC2 for."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from msgspec import Struct

CAPACITY_BLOCK = "capacity-block"
SPOT = "spot"
OPEN, RESERVATIONS_ONLY = "open", "capacity-reservations-only"
"""Of CapacityReservationPreference: a reservation that matches is used where there is one; nothing else will do."""
DEFAULT_TENANCY = "default"


class Zone(NamedTuple):
    """An Availability Zone: its id, and its name in this account."""

    zone_id: str
    name: str


class Launch(Struct, frozen=True):
    """So many machines of one type in these zones. They run Linux: no image of another system is known here."""

    instance_type: str
    count: int
    zones: tuple[Zone, ...]
    """Empty where none is asked for."""
    market: str | None = None
    """``spot``, ``capacity-block``, or None: on demand."""
    reservation_id: str | None = None
    """The capacity reservation that the launch targets."""
    reservation_group: str | None = None
    """ARN of the resource group of reservations that it targets instead."""
    preference: str = OPEN
    """What it prefers where it targets none."""
    tenancy: str = DEFAULT_TENANCY

    @property
    def zone_ids(self) -> frozenset[str]:
        return frozenset(zone.zone_id for zone in self.zones)

    @property
    def takes_open_reservations(self) -> bool:
        """Whether a reservation that nobody named may carry it."""
        targets = self.reservation_id is not None or self.reservation_group is not None
        return not targets and self.market is None and self.preference in (OPEN, RESERVATIONS_ONLY)


def launch_of(data: Mapping[str, Any], count: int, subnets: Sequence[Mapping[str, Any]]) -> Launch | None:
    """The launch that a request or a launch template describes; None when it names no instance type."""
    if not data.get("InstanceType"):
        return None
    specification = data.get("CapacityReservationSpecification") or {}
    target = specification.get("CapacityReservationTarget", {})
    return Launch(
        instance_type=data["InstanceType"],
        count=count,
        zones=tuple(dict.fromkeys(Zone(each["AvailabilityZoneId"], each["AvailabilityZone"]) for each in subnets)),
        market=data.get("InstanceMarketOptions", {}).get("MarketType"),
        reservation_id=target.get("CapacityReservationId"),
        reservation_group=target.get("CapacityReservationResourceGroupArn"),
        preference=specification.get("CapacityReservationPreference", OPEN),
        tenancy=(data.get("Placement") or {}).get("Tenancy") or DEFAULT_TENANCY,
    )
