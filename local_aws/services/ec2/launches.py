"""RunInstances and StartInstances: rejected where EC2 has no place for the machines; as many as there is place for."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from contextvars import ContextVar
from typing import Any

from botocore.exceptions import ClientError
from msgspec import Struct
from msgspec.structs import replace

from local_aws.api_errors import api_error
from local_aws.contract import Call
from local_aws.knowledge.current import knowledge, limit
from local_aws.launch import Launch, Zone, addresses_of, launch_data, launch_of
from local_aws.launches import launch_most, require_launchable
from local_aws.registry import guard
from local_aws.reservations import assign_reservations, find_reservation, reservations
from local_aws.services.ec2.instance_types import require_instance_type
from local_aws.services.ec2.placement_groups import require_placement_group

MEMBER = "ClientToken"


def is_repeated(call: Call) -> bool:
    """Whether the token was used: room and what is free were asked for then."""
    return _launched(call.moto_backend("ec2"), call.parameters) is not None


def launched_before(backend: Any, request: Mapping[str, Any]) -> Any | None:
    """The reservation of an equal request with this token; None for a new one. Refused when the requests differ."""
    found = _launched(backend, request)
    if found is not None and found.request != dict(request):
        raise api_error("ec2.token_reused")
    return found


def remember(reservation: Any, request: Mapping[str, Any]) -> None:
    """With the reservation, so that a launch that was taken back leaves nothing."""
    reservation.request = dict(request)


def _launched(backend: Any, request: Mapping[str, Any]) -> Any | None:
    token = request.get(MEMBER)
    rows = list(backend.reservations.values()) if token else []
    return next((each for each in rows if getattr(each, "request", {}).get(MEMBER) == token), None)


class ResolvedLaunch(Struct, frozen=True):
    """How many machines the current request starts, and where."""

    count: int
    """So many machines are started."""
    subnet_id: str | None
    """The default subnet in which they are; None when the request names its own, or there is none."""


resolved_launch: ContextVar[ResolvedLaunch] = ContextVar("resolved_launch")
"""Between the guard and moto's operation, which run in one thread."""


@guard("ec2", "RunInstances")
def require_machines(call: Call) -> None:
    if is_repeated(call):
        return
    data = launch_data(call)
    minimum, maximum = int(call.parameters["MinCount"]), int(call.parameters["MaxCount"])
    if data.get("InstanceType"):
        require_instance_type(data["InstanceType"])
    if not data.get("ImageId"):
        raise api_error("ec2.image_required")
    _require_key_and_hops(call, data)
    require_placement_group(call, data.get("Placement") or {})
    subnets = _subnets(call, data)
    count = _most(call, data, subnets, minimum, maximum)
    subnet = None if subnets or _names_interfaces(data) else _default_subnet(call, data, count)
    resolved_launch.set(ResolvedLaunch(count, subnet))


def _require_key_and_hops(call: Call, data: Mapping[str, Any]) -> None:
    key = data.get("KeyName")
    if key and key not in call.moto_backend("ec2").key_pairs:
        raise api_error("ec2.no_key_pair", key=key)
    hops, bounds = data.get("MetadataOptions", {}).get("HttpPutResponseHopLimit"), limit("ec2_metadata_hops")
    if hops is not None and not (bounds.minimum or 0) <= hops <= (bounds.maximum or hops):
        raise api_error("ec2.hop_limit", hops=hops, minimum=bounds.minimum, maximum=bounds.maximum)


def _most(call: Call, data: Mapping[str, Any], subnets: list[dict[str, Any]], minimum: int, maximum: int) -> int:
    """The greatest number up to ``maximum`` that has place. Raises ServiceError when ``minimum`` has none."""
    _require_place(call, data, subnets, minimum)
    if subnets:
        maximum = max(minimum, min(maximum, subnets[0]["AvailableIpAddressCount"] // addresses_of(data)))
    launch = launch_of(data, maximum, subnets)
    if launch is None or minimum >= maximum:
        return maximum
    return max(minimum, sum(launch_most(call, launch)[0].values()))


def _require_place(
    call: Call, data: Mapping[str, Any], subnets: list[dict[str, Any]], count: int
) -> Mapping[str | None, int]:
    launch = launch_of(data, count, subnets)
    return require_launchable(call, launch) if launch is not None else {}


def _names_interfaces(data: Mapping[str, Any]) -> bool:
    named = ("SubnetId", "NetworkInterfaceId")
    return any(each.get(name) for each in (data, *data.get("NetworkInterfaces", [])) for name in named)


def _default_subnet(call: Call, data: Mapping[str, Any], count: int) -> str | None:
    """In the zone that is asked for, else in one of the reservation, else in one that offers the type."""
    subnets = call.client("ec2").describe_subnets(Filters=[{"Name": "default-for-az", "Values": ["true"]}])["Subnets"]
    places = _require_place(call, data, [], count)
    reserved = {find_reservation(call, each)["AvailabilityZoneId"] for each in places if each is not None}
    row = knowledge().instance_types.get(data.get("InstanceType", ""))
    offered = set(row.offered_zone_ids(call.region)) if row is not None and row.zone_ids else set()
    asked = data.get("Placement", {}).get("AvailabilityZone")
    fitting = [
        subnet["SubnetId"]
        for subnet in sorted(subnets, key=lambda each: str(each["AvailabilityZone"]))
        if asked in (None, subnet["AvailabilityZone"])
        and all(not zones or subnet["AvailabilityZoneId"] in zones for zones in (reserved, offered))
    ]
    return fitting[0] if fitting else None


def _subnets(call: Call, data: dict[str, Any]) -> list[dict[str, Any]]:
    """The subnet of the primary interface; none when there is no such subnet, which EC2 then says itself."""
    named = [data.get("SubnetId"), *(each.get("SubnetId") for each in data.get("NetworkInterfaces", []))]
    subnet_id = next(filter(None, named), None)
    if subnet_id is None:
        return []
    try:
        return list(call.client("ec2").describe_subnets(SubnetIds=[subnet_id])["Subnets"])
    except ClientError:
        return []


@guard("ec2", "StartInstances")
def require_capacity_to_start(call: Call) -> None:
    """A stopped machine has no place: neither in a reservation nor in the quota."""
    wanted: Counter[Launch] = Counter()
    for instance in call.moto_backend("ec2").all_instances():
        is_asked = instance.id in call.parameters["InstanceIds"] and instance.state == "stopped"
        if is_asked and instance.launch is not None:
            subnet = instance.ec2_backend.get_subnet(instance.subnet_id)
            zones = (Zone(subnet.availability_zone_id, subnet.availability_zone),)
            # Its type may have been changed since it was launched.
            wanted[replace(instance.launch, instance_type=instance.instance_type, zones=zones)] += 1
    for launch, count in wanted.items():
        require_launchable(call, replace(launch, count=count))


@guard("ec2", "DescribeInstances")
def tell_reservations(call: Call) -> None:
    """Instances tell the reservation that they run in."""
    if reservations(call):
        assign_reservations(call)
