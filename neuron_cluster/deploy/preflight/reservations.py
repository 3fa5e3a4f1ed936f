"""Whether the capacity reservations and capacity blocks of the file are there, and fit.

Source: https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/capacity-reservations-using.html and
ec2-capacity-reservations.html. EC2 starts nothing in a reservation that is over, or that is of another instance type,
zone, platform, tenancy or placement group. Launch templates of this toolkit set no tenancy, and their AMIs are Linux.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct
from msgspec.structs import replace

from neuron_cluster.aws.capacity_reservations import (
    CapacityReservation,
    all_reservations,
    capacity_reservations,
    reservations_of_group,
)
from neuron_cluster.aws.cloudformation import resources
from neuron_cluster.aws.existing_vpc import vpc_tenancy
from neuron_cluster.deploy.preflight.context import KeyPath, PreflightContext
from neuron_cluster.findings.finding import Finding
from neuron_cluster.findings.text import listed
from neuron_cluster.plan.core_stacks import NETWORK
from neuron_cluster.plan.machine_plan import MachinePlan
from neuron_cluster.plan.placeholders import PLACEHOLDER_RESERVATION
from neuron_cluster.protocol.registry import registered_operations

WHAT = "capacity reservations and capacity blocks"
PERMISSIONS = (
    "ec2:DescribeCapacityReservations",
    "resource-groups:ListGroupResources",
    "ec2:DescribeVpcs",
    "cloudformation:ListStackResources",
)

ENDED = ("expired", "cancelled", "failed", "payment-failed", "unsupported", "unavailable")
"""Final states of a reservation."""
PLATFORM, TENANCY = "Linux/UNIX", "default"
"""Of every instance that the toolkit launches; in a VPC that exists, its tenancy."""
OPEN = "open"
"""Match criteria of a reservation that also takes instances which name none."""


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
    tenancy: str


def check(context: PreflightContext) -> Iterator[Finding]:
    """E9553 for a reservation that is not there, is over or does not fit; W9554 for one that is late or too small."""
    for wanted in _wanted(context):
        purchase = wanted.machine.purchase
        if purchase.reservation_id is not None:
            yield from _single(wanted, purchase.reservation_id, context)
        elif purchase.resource_group_arn is not None:
            yield from _group(wanted, purchase.resource_group_arn, context)
        elif purchase.reservation_preference == OPEN:
            yield from _open(wanted, context)


def _wanted(context: PreflightContext) -> Iterator[Wanted]:
    existing = context.plan.network.existing
    reserved = [each for each in context.plan.compute_groups if each.machine.purchase.is_reserved]
    tenancy = vpc_tenancy(context.destination.target, existing.vpc_id) if existing is not None and reserved else ""
    for group in reserved:
        counts = (group.desired, group.known_maximum)
        yield Wanted(group.path, group.name, group.machine, group.zone_ids, *counts, tenancy or TENANCY)


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
    elif mismatches := [*_mismatches(found, wanted), *_in_use(found, wanted, context)]:
        message = f"{wanted.name} cannot run in the capacity reservation {reservation_id}: {'; '.join(mismatches)}"
        yield Finding("E9553", place, message, _hint(wanted, context))
    else:
        named = f"the capacity reservation {reservation_id} of {wanted.name}"
        if doubts := list(_doubts(found, wanted)):
            hint = f"set count to its size while it is active; {_listing(context, wanted)}"
            yield Finding("W9554", place, f"{named} {listed(doubts)}", hint)
        for doubt, hint in _others(found, context):
            yield Finding("W9554", place, f"{named} {doubt}", hint)


def _is_there_without_nodes(wanted: Wanted, context: PreflightContext) -> bool:
    """Whether nothing starts: the step between two blocks (E9018). A new group in a block that is over is rejected."""
    return not wanted.desired and _is_deployed(wanted, context)


def _is_deployed(wanted: Wanted, context: PreflightContext) -> bool:
    target = context.destination.target
    return any(wanted.name in each.deployed_groups(target, context.plan) for each in registered_operations())


def _in_use(found: CapacityReservation, wanted: Wanted, context: PreflightContext) -> Iterator[str]:
    """Instances that others run in it. Of a group or workstation that is there, its own ones are among them."""
    if found.state != "active" or found.available >= wanted.desired or found.count < wanted.desired:
        return
    is_workstation = wanted.name in {each.name for each in context.plan.workstations}
    if is_workstation and resources(context.destination.target, context.plan.stack_name(NETWORK.part)):
        return
    if not _is_deployed(wanted, context):
        yield f"{found.available} of its {found.count} instances are free, but count.desired is {wanted.desired}"


def _mismatches(found: CapacityReservation, wanted: Wanted) -> Iterator[str]:
    purchase = wanted.machine.purchase
    if found.state in ENDED:
        ended = f" since {found.end:%Y-%m-%d %H:%M} UTC" if found.end is not None and found.state == "expired" else ""
        yield f"it is {found.state}{ended}"
    if found.instance_type != wanted.machine.instance_type:
        yield f"it has {found.instance_type}, but instance_type is {wanted.machine.instance_type}"
    if found.zone_id and found.zone_id not in wanted.zone_ids:
        yield f"it is in {found.zone_id}, but availability_zone is {listed(wanted.zone_ids)}"
    for name, has, needs in (("platform", found.platform, PLATFORM), ("tenancy", found.tenancy, wanted.tenancy)):
        if has != needs:
            yield f"its {name} is {has}, but that of the instances is {needs}"
    if found.placement_group_arn:
        yield f"it is in the placement group {found.placement_group_arn}, in which {wanted.name} does not launch"
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


def _others(found: CapacityReservation, context: PreflightContext) -> Iterator[tuple[str, str]]:
    """Who else may use its instances, with what to do."""
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


def _open(wanted: Wanted, context: PreflightContext) -> Iterator[Finding]:
    """W9554 where open reservations hold fewer instances than the group: the others start outside of them."""
    if not wanted.desired or _is_deployed(wanted, context):
        return
    one = replace(wanted, desired=0)
    rows = [each for each in all_reservations(context.destination.target) if each.match_criteria == OPEN]
    free = sum(each.available for each in rows if not list(_mismatches(each, one)))
    if free < wanted.desired:
        message = (
            f"open capacity reservations have {free} free instances that {wanted.name} can use; the other "
            f"{wanted.desired - free} of count.desired start On-Demand, if EC2 has capacity"
        )
        listing = _listing(context, wanted)
        hint = f"make reservations of this type, zone, platform and tenancy open, or lower count: {listing}"
        yield Finding("W9554", context.locate((*wanted.path, "capacity", "match")), message, hint)


def _group(wanted: Wanted, arn: str, context: PreflightContext) -> Iterator[Finding]:
    """Of a resource group all reservations that fit count together."""
    target, place = context.destination.target, context.locate((*wanted.path, "capacity", "resource_group"))
    members = f"`aws resource-groups list-group-resources --group {arn} --region {context.destination.region}`"
    ids = reservations_of_group(target, arn)
    if ids is None:
        hint = "correct resource_group by what `aws resource-groups list-groups` shows"
        yield Finding("E9553", place, f"the resource group {arn} of {wanted.name} does not exist", hint)
        return
    alone, is_new = replace(wanted, desired=0), not _is_deployed(wanted, context)
    fitting = [each for each in capacity_reservations(target, ids).values() if not list(_mismatches(each, alone))]
    count = sum(each.available if is_new and each.state == "active" else each.count for each in fitting)
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
    columns = (
        "CapacityReservations[].[CapacityReservationId,State,AvailabilityZoneId,TotalInstanceCount,EndDate,"
        "AvailableInstanceCount,InstancePlatform,Tenancy,InstanceMatchCriteria,OwnerId]"
    )
    kind = f"Name=instance-type,Values={wanted.machine.instance_type}"
    describe = f'aws ec2 describe-capacity-reservations --filters {kind} --query "{columns}"'
    return f"`{describe} --region {context.destination.region}`"
