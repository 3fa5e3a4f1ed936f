"""A launch of instances: what RunInstances, StartInstances or a node group asks EC2 for, with its launch template."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from msgspec import Struct

from local_aws.contract import Call

CAPACITY_BLOCK = "capacity-block"
SPOT = "spot"
OPEN, RESERVATIONS_ONLY = "open", "capacity-reservations-only"
"""Values of CapacityReservationPreference: a matching reservation is used if there is one; only one is used."""
DEFAULT_TENANCY = "default"
LINUX = "Linux/UNIX"


class Zone(NamedTuple):
    """An Availability Zone: its id, and its name in this account."""

    zone_id: str
    name: str


class Launch(Struct, frozen=True):
    """So many machines of one type and image in these zones."""

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
    """The preference of a launch that targets no reservation."""
    tenancy: str = DEFAULT_TENANCY
    image_id: str = ""

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
        image_id=data.get("ImageId") or "",
    )


def platform_of(image: Any | None) -> str:
    """The platform details of moto's image, which has none of its own: Linux, also for an image that nobody knows."""
    return str(getattr(image, "platform_details", LINUX))


MERGED = ("MetadataOptions", "Placement", "Monitoring", "IamInstanceProfile")
"""Structures of which the request overrules single members."""
DEFAULT_VERSION = "$Default"
EFA_ONLY = "efa-only"
"""An interface without an address."""


def launch_data(call: Call) -> dict[str, Any]:
    """The parameters of a RunInstances call, completed by its template. Raises ClientError when there is none."""
    given = call.parameters.get("LaunchTemplate")
    if not given:
        return dict(call.parameters)
    key = {name: given[name] for name in ("LaunchTemplateId", "LaunchTemplateName") if name in given}
    return under_request(template_data(call, given.get("Version", DEFAULT_VERSION), key), call.parameters)


def template_data(call: Call, version: str, key: Mapping[str, str]) -> dict[str, Any]:
    """The data of one version of a launch template. Raises ClientError when there is none."""
    rows = call.client("ec2").describe_launch_template_versions(Versions=[version], **key)["LaunchTemplateVersions"]
    return dict(rows[0]["LaunchTemplateData"]) if rows else {}


def under_request(data: Mapping[str, Any], request: Mapping[str, Any]) -> dict[str, Any]:
    """The parameters of the request, completed by the data of the template."""
    merged = {**{name: value for name, value in data.items() if value is not None}, **request}
    for name in MERGED:
        if name in data and name in request:
            merged[name] = {**data[name], **request[name]}
    return merged


def addresses_of(data: Mapping[str, Any]) -> int:
    """So many addresses one instance takes."""
    return sum(each.get("InterfaceType") != EFA_ONLY for each in data.get("NetworkInterfaces", [])) or 1


def named_groups(data: Mapping[str, Any]) -> set[str]:
    """Ids of the security groups of a launch: its own, or those of its interfaces."""
    interfaces = data.get("NetworkInterfaces", [])
    return {*data.get("SecurityGroupIds", []), *(group for each in interfaces for group in each.get("Groups", []))}
