"""Whether the capacity reservations and capacity blocks of the file are there, and fit.

Source: https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/capacity-reservations-using.html. EC2 starts nothing in a
reservation that is over, or that is of another instance type or zone.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct
from msgspec.structs import replace

from neuron_cluster.aws.capacity_reservations import CapacityReservation, capacity_reservations, reservations_of_group
from neuron_cluster.deploy.preflight.context import KeyPath, PreflightContext
from neuron_cluster.findings.finding import Finding
from neuron_cluster.findings.text import listed
from neuron_cluster.orchestrators.registry import registered_operations
from neuron_cluster.plan.machine_plan import MachinePlan
from neuron_cluster.plan.placeholders import PLACEHOLDER_RESERVATION

WHAT = "capacity reservations and capacity blocks"
PERMISSIONS = ("ec2:DescribeCapacityReservations", "resource-groups:ListGroupResources")

ENDED = ("expired", "cancelled", "failed", "payment-failed", "unsupported", "unavailable")
"""Final states of a reservation."""


def permissions() -> tuple[str, ...]:
    """With those that show which groups exist."""
    return (*PERMISSIONS, *(action for each in registered_operations() for action in each.group_permissions))


class Wanted(Struct, frozen=True):
    """What a compute group requires of its reservation."""

    path: KeyPath
    name: str
    machine: MachinePlan
    zone_ids: tuple[str, ...]
    desired: int
    maximum: int


def check(context: PreflightContext) -> Iterator[Finding]:
    """E9553 for a reservation that is not there, is over or does not fit; W9554 for one that is late or too small."""
    for wanted in _wanted(context):
        purchase = wanted.machine.purchase
        if purchase.reservation_id is not None:
            yield from _single(wanted, purchase.reservation_id, context)
        elif purchase.resource_group_arn is not None:
            yield from _group(wanted, purchase.resource_group_arn, context)


def _wanted(context: PreflightContext) -> Iterator[Wanted]:
    for group in context.plan.compute_groups:
        yield Wanted(group.path, group.name, group.machine, group.zone_ids, group.desired, group.known_maximum)


def _single(wanted: Wanted, reservation_id: str, context: PreflightContext) -> Iterator[Finding]:
    if context.destination.is_local and reservation_id == PLACEHOLDER_RESERVATION:
        return  # on AWS it is E9502
    found = capacity_reservations(context.destination.target, [reservation_id]).get(reservation_id)
    place = context.locate((*wanted.path, "capacity", "reservation_id"))
    if found is None:
        message = f"the account has no capacity reservation {reservation_id} in {context.destination.region}"
        yield Finding("E9553", place, f"{message}, which {wanted.name} runs in", _hint(wanted, context))
    elif found.state in ENDED and _is_there_without_nodes(wanted, context):
        message = f"the capacity reservation {reservation_id} of {wanted.name} is {found.state}, and desired is 0"
        hint = f"set the next reservation_id before you raise desired; {_listing(context, wanted)}"
        yield Finding("W9554", place, message, hint)
    elif mismatches := list(_mismatches(found, wanted)):
        message = f"{wanted.name} cannot run in the capacity reservation {reservation_id}: {listed(mismatches)}"
        yield Finding("E9553", place, message, _hint(wanted, context))
    elif doubts := list(_doubts(found, wanted)):
        message = f"the capacity reservation {reservation_id} of {wanted.name} {listed(doubts)}"
        hint = f"set count to its size while it is active; {_listing(context, wanted)}"
        yield Finding("W9554", place, message, hint)


def _is_there_without_nodes(wanted: Wanted, context: PreflightContext) -> bool:
    """Whether nothing starts: the step between two blocks (E9018). A new group in a block that is over is rejected."""
    target = context.destination.target
    return not wanted.desired and any(
        wanted.name in each.deployed_groups(target, context.plan) for each in registered_operations()
    )


def _mismatches(found: CapacityReservation, wanted: Wanted) -> Iterator[str]:
    purchase = wanted.machine.purchase
    if found.state in ENDED:
        ended = f" since {found.end:%Y-%m-%d %H:%M} UTC" if found.end is not None and found.state == "expired" else ""
        yield f"it is {found.state}{ended}"
    if found.instance_type != wanted.machine.instance_type:
        yield f"it has {found.instance_type}, but instance_type is {wanted.machine.instance_type}"
    if found.zone_id and found.zone_id not in wanted.zone_ids:
        yield f"it is in {found.zone_id}, but availability_zone is {listed(wanted.zone_ids)}"
    if found.is_block != purchase.is_block:
        yield f"it is {'a capacity block' if found.is_block else 'not a capacity block'}, unlike capacity.kind"
    if found.count < wanted.desired and found.state not in ENDED:
        yield f"it has {found.count} instances, but count.desired is {wanted.desired}"


def _doubts(found: CapacityReservation, wanted: Wanted) -> Iterator[str]:
    if found.state != "active" and wanted.desired:
        begins = f" and begins {found.start:%Y-%m-%d %H:%M} UTC" if found.start is not None else ""
        yield f"is {found.state}{begins}: its {wanted.desired} instances cannot start before"
    if found.count < wanted.maximum:
        yield f"has {found.count} instances, but count.max is {wanted.maximum}"


def _group(wanted: Wanted, arn: str, context: PreflightContext) -> Iterator[Finding]:
    """Of a resource group all reservations that fit count together."""
    target, place = context.destination.target, context.locate((*wanted.path, "capacity", "resource_group"))
    members = f"`aws resource-groups list-group-resources --group {arn} --region {context.destination.region}`"
    ids = reservations_of_group(target, arn)
    if ids is None:
        hint = "correct resource_group by what `aws resource-groups list-groups` shows"
        yield Finding("E9553", place, f"the resource group {arn} of {wanted.name} does not exist", hint)
        return
    alone = replace(wanted, desired=0)
    count = sum(
        each.count for each in capacity_reservations(target, ids).values() if not list(_mismatches(each, alone))
    )
    holds = f"the {len(ids)} capacity reservations of {arn} hold {count} instances that {wanted.name} can use"
    hint = f"{members} shows them: add reservations of the type and zone, or lower count"
    if not count or count < wanted.desired:
        yield Finding("E9553", place, f"{holds}; count.desired is {wanted.desired}", hint)
    elif count < wanted.maximum:
        yield Finding("W9554", place, f"{holds}; count.max is {wanted.maximum}", hint)


def _hint(wanted: Wanted, context: PreflightContext) -> str:
    further = (
        f"; `neuron-cluster capacity offers {context.plan.name}` finds another block"
        if wanted.machine.purchase.is_block
        else ""
    )
    return f"correct the file, or remove {wanted.name}: {_listing(context, wanted)}{further}"


def _listing(context: PreflightContext, wanted: Wanted) -> str:
    columns = "CapacityReservations[].[CapacityReservationId,State,AvailabilityZoneId,TotalInstanceCount,EndDate]"
    kind = f"Name=instance-type,Values={wanted.machine.instance_type}"
    describe = f'aws ec2 describe-capacity-reservations --filters {kind} --query "{columns}"'
    return f"`{describe} --region {context.destination.region}`"
