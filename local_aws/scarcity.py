"""Machines that EC2 does not have: of a type, for as long as a test wants it so."""

from __future__ import annotations

from dataclasses import dataclass

from local_aws.api_errors import api_error
from local_aws.launch import Launch
from local_aws.running_capacity import running
from local_aws.service import Call


@dataclass
class Scarcity:
    """So many machines of one type run at most, beside those in reservations and blocks."""

    instance_type: str
    available: int
    injected: int = 0
    """Launches that were refused for it, wholly or in part."""


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
