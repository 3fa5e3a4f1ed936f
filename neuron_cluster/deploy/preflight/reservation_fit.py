"""Differences between a reservation and the instances that a compute group starts, and doubts about it.

Source: https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/capacity-reservations-using.html and
ec2-capacity-reservations.html. EC2 starts nothing in a reservation that is over, or that is of another instance type,
zone, platform, tenancy or placement group. The platform of an instance is that of its AMI:
https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/ami-billing-info.html (platform details).
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from neuron_cluster.aws.capacity_reservations import CapacityReservation
from neuron_cluster.deploy.preflight.context import KeyPath, PreflightContext
from neuron_cluster.findings.text import counted, listed
from neuron_cluster.plan.machine_plan import MachinePlan

ENDED = ("expired", "cancelled", "failed", "payment-failed", "unsupported", "unavailable")
"""Final states of a reservation."""
OPEN = "open"
"""Match criteria of a reservation that also takes instances which name none."""


class Wanted(Struct, frozen=True):
    """Requirements of a compute group on its reservation."""

    path: KeyPath
    name: str
    machine: MachinePlan
    zone_ids: tuple[str, ...]
    desired: int
    maximum: int
    tenancy: str
    image: str | None
    """AMI id of the file or the lock."""
    platform: str
    """Platform details of the AMI."""
    has_known_platform: bool
    """Whether a reservation can have a platform of this name."""


def mismatches(found: CapacityReservation, wanted: Wanted) -> Iterator[str]:
    """Each attribute for which EC2 starts no instance of the group in the reservation."""
    purchase = wanted.machine.purchase
    if found.state in ENDED:
        ended = f" since {found.end:%Y-%m-%d %H:%M} UTC" if found.end is not None and found.state == "expired" else ""
        yield f"it is {found.state}{ended}"
    if found.instance_type != wanted.machine.instance_type:
        yield f"it has {found.instance_type}, but instance_type is {wanted.machine.instance_type}"
    if found.zone_id and found.zone_id not in wanted.zone_ids:
        yield f"it is in {found.zone_id}, but availability_zone is {listed(wanted.zone_ids)}"
    if found.platform != wanted.platform and wanted.has_known_platform:
        yield f"its platform is {found.platform}, but that of {wanted.image or 'the instances'} is {wanted.platform}"
    if found.tenancy != wanted.tenancy:
        yield f"its tenancy is {found.tenancy}, but that of the instances is {wanted.tenancy}"
    if found.placement_group_arn:
        yield f"it is in the placement group {found.placement_group_arn}, in which {wanted.name} does not launch"
    if found.is_block != purchase.is_block:
        yield f"it is {'a capacity block' if found.is_block else 'not a capacity block'}, unlike capacity.kind"
    if found.count < wanted.desired and found.state not in ENDED:
        yield f"it has {counted(found.count, 'instance')}, but count.desired is {wanted.desired}"


def doubts_of_size(found: CapacityReservation, wanted: Wanted) -> Iterator[str]:
    """A reservation that has not begun, or that is smaller than ``count.max``."""
    if found.state != "active" and wanted.desired:
        yield f"is {found.state}{beginning(found)}: its {wanted.desired} instances cannot start before"
    if found.count < wanted.maximum:
        yield f"has {counted(found.count, 'instance')}, but count.max is {wanted.maximum}"


def beginning(found: CapacityReservation) -> str:
    """The time from which instances start in it, for the end of a message; empty where EC2 returns none."""
    return f" and begins {found.start:%Y-%m-%d %H:%M} UTC" if found.start is not None else ""


def doubts_of_use(found: CapacityReservation, wanted: Wanted, context: PreflightContext) -> Iterator[tuple[str, str]]:
    """Whose instances may start in it and until when, with what to do."""
    if not wanted.has_known_platform:
        doubt = (
            f"has the platform {found.platform}, and EC2 describes {wanted.image} as {wanted.platform}, which is not "
            "a platform of reservations: its instances may not start there"
        )
        yield doubt, "start one instance of the AMI in the reservation first, or set another ami_id"
    if found.match_criteria == OPEN:
        command = (
            f"aws ec2 modify-capacity-reservation --capacity-reservation-id {found.id} "
            f"--instance-match-criteria targeted --region {context.destination.region}"
        )
        yield "is open: it takes any instance of the account that matches, and may then be full", f"`{command}`"
    if found.owner != context.plan.account:
        doubt = f"belongs to account {found.owner}, which shares it and may end that, or use its instances"
        yield doubt, f"agree with the owner on {found.count} instances for {context.plan.account}"
    if not found.is_block and found.end is not None:
        doubt = f"ends {found.end:%Y-%m-%d %H:%M} UTC: later instances do not start in it"
        hint = f"`aws ec2 modify-capacity-reservation --capacity-reservation-id {found.id} --end-date-type unlimited "
        yield doubt, f"{hint}--region {context.destination.region}` keeps it, until you cancel it"
