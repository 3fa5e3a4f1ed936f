"""Whether the capacity reservations and capacity blocks of the file are there, and fit.

Launch templates of this toolkit set no tenancy.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from neuron_cluster.aws.capacity_reservations import (
    CapacityReservation,
    all_reservations,
    capacity_reservations,
    reservation_platforms,
    reservations_of_group,
)
from neuron_cluster.aws.cloudformation import resources
from neuron_cluster.aws.existing_vpc import vpc_tenancy
from neuron_cluster.aws.images import images_by_id
from neuron_cluster.deploy.preflight.context import PreflightContext
from neuron_cluster.deploy.preflight.reservation_fit import (
    ENDED,
    OPEN,
    Wanted,
    beginning,
    doubts_of_size,
    doubts_of_use,
    mismatches,
)
from neuron_cluster.deploy.preflight.reserved_groups import read_of
from neuron_cluster.findings.finding import Finding
from neuron_cluster.findings.text import counted, listed
from neuron_cluster.plan.core_stacks import NETWORK
from neuron_cluster.protocol.registry import registered_operations

WHAT = "capacity reservations and capacity blocks"
PERMISSIONS = (
    "ec2:DescribeCapacityReservations",
    "resource-groups:ListGroupResources",
    "ec2:DescribeVpcs",
    "ec2:DescribeImages",
    "cloudformation:ListStackResources",
)

PLATFORM, TENANCY = "Linux/UNIX", "default"
"""Platform and tenancy of instances, unless their AMI or a VPC that exists has others."""
MOST_NAMED = 8
"""Reservations whose differences one message names."""


def permissions() -> tuple[str, ...]:
    """With those that show which groups exist."""
    return (*PERMISSIONS, *(action for each in registered_operations() for action in each.group_permissions))


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
    reserved = [each for each in context.plan.compute_groups if read_of(each, context)]
    target = context.destination.target
    tenancy = vpc_tenancy(target, existing.vpc_id) if existing is not None and reserved else ""
    images = images_by_id(target, sorted({each.image.pinned for each in reserved if each.image.pinned is not None}))
    for group in reserved:
        image = images.get(group.image.pinned or "")
        platform = (image.platform if image is not None else "") or PLATFORM
        yield Wanted(
            path=group.path,
            name=group.name,
            machine=group.machine,
            zone_ids=group.zone_ids,
            desired=group.desired,
            maximum=group.known_maximum,
            tenancy=tenancy or TENANCY,
            image=group.image.pinned,
            platform=platform,
            has_known_platform=platform in reservation_platforms(target),
        )


def _single(wanted: Wanted, reservation_id: str, context: PreflightContext) -> Iterator[Finding]:
    found = capacity_reservations(context.destination.target, [reservation_id]).get(reservation_id)
    place = context.locate((*wanted.path, "capacity", "reservation_id"))
    if found is None:
        message = f"the account has no capacity reservation {reservation_id} in {context.destination.region}"
        yield Finding("E9553", place, f"{message}, which {wanted.name} runs in", _hint(wanted, context))
    elif found.state in ENDED and _is_there_without_nodes(wanted, context):
        message = f"the capacity reservation {reservation_id} of {wanted.name} is {found.state}, and desired is 0"
        hint = f"set the next reservation_id before you raise desired; {_listing(context, wanted)}"
        yield Finding("W9554", place, message, hint)
    elif reasons := [*mismatches(found, wanted), *_in_use(found, wanted, context)]:
        message = f"{wanted.name} cannot run in the capacity reservation {reservation_id}: {'; '.join(reasons)}"
        yield Finding("E9553", place, message, _hint(wanted, context))
    else:
        named = f"the capacity reservation {reservation_id} of {wanted.name}"
        if doubts := list(doubts_of_size(found, wanted)):
            hint = f"set count to its size while it is active; {_listing(context, wanted)}"
            yield Finding("W9554", place, f"{named} {listed(doubts)}", hint)
        for doubt, hint in doubts_of_use(found, wanted, context):
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
    if is_workstation and resources(context.destination.target, context.plan.stack_name(NETWORK.stack_key)):
        return
    if not _is_deployed(wanted, context):
        yield f"{found.available} of its {found.count} instances are free, but count.desired is {wanted.desired}"


def _open(wanted: Wanted, context: PreflightContext) -> Iterator[Finding]:
    """W9554 where open reservations hold fewer instances than the group: the others start outside of them."""
    if not wanted.desired or _is_deployed(wanted, context):
        return
    free, unfit = 0, []
    for each in all_reservations(context.destination.target):
        reasons = [*mismatches(each, replace(wanted, desired=0))]
        if each.match_criteria != OPEN:
            reasons.append(f"it is {each.match_criteria}, not open")
        if not reasons:
            free += each.available
        elif each.instance_type == wanted.machine.instance_type and each.state not in ENDED:
            unfit.append(f"{each.id}: {listed(reasons)}")
    if free < wanted.desired:
        message = (
            f"open capacity reservations have {counted(free, 'free instance')} that {wanted.name} can use; the other "
            f"{wanted.desired - free} of count.desired start On-Demand, if EC2 has capacity"
        )
        listing = _listing(context, wanted)
        hint = f"make reservations of this type, zone, platform and tenancy open, or lower count: {listing}"
        place = context.locate((*wanted.path, "capacity", "match"))
        yield Finding("W9554", place, message + _named(unfit), hint)


def _group(wanted: Wanted, arn: str, context: PreflightContext) -> Iterator[Finding]:
    """E9553 and W9554 by the sum of all reservations of a resource group that fit, with what the others differ in."""
    target, place = context.destination.target, context.locate((*wanted.path, "capacity", "resource_group"))
    ids = reservations_of_group(target, arn)
    if ids is None:
        hint = "correct resource_group by what `aws resource-groups list-groups` shows"
        yield Finding("E9553", place, f"the resource group {arn} of {wanted.name} does not exist", hint)
        return
    rows, is_new = capacity_reservations(target, ids), not _is_deployed(wanted, context)
    unfit = {each: [*mismatches(row, replace(wanted, desired=0))] for each, row in rows.items()}
    fitting = [row for each, row in rows.items() if not unfit[each]]
    usable = {each.id: each.available if is_new and each.state == "active" else each.count for each in fitting}
    count = sum(usable.values())
    if not count or count < wanted.maximum:
        notes = [f"{each}: EC2 does not return it for {context.plan.account}" for each in ids if each not in rows]
        notes += [f"{each}: {listed(reasons)}" for each, reasons in unfit.items() if reasons]
        notes += [
            f"{each.id}: {usable[each.id]} of its {each.count} instances are free"
            for each in fitting
            if usable[each.id] < each.count
        ]
        is_error = not count or count < wanted.desired
        key, number = ("desired", wanted.desired) if count < wanted.desired else ("max", wanted.maximum)
        message = (
            f"{arn} has {counted(len(ids), 'capacity reservation')} with {counted(count, 'instance')} that "
            f"{wanted.name} can use, but count.{key} is {number}"
        )
        members = f"`aws resource-groups list-group-resources --group {arn} --region {context.destination.region}`"
        hint = f"add reservations that fit to the group, or lower count: {members} and {_listing(context, wanted)}"
        yield Finding("E9553" if is_error else "W9554", place, message + _named(notes), hint)
        if is_error:
            return
    for row in fitting:
        yield from _of_member(row, arn, wanted, context)


def _of_member(row: CapacityReservation, arn: str, wanted: Wanted, context: PreflightContext) -> Iterator[Finding]:
    """W9554 for a reservation of a resource group that is late, ends, or that others may use."""
    place, named = context.locate((*wanted.path, "capacity", "resource_group")), f"{row.id} of {arn}"
    if row.state != "active" and wanted.desired:
        message = f"{named} is {row.state}{beginning(row)}: no instance of {wanted.name} starts in it before"
        yield Finding("W9554", place, message, f"lower count until then; {_listing(context, wanted)}")
    for doubt, hint in doubts_of_use(row, wanted, context):
        yield Finding("W9554", place, f"{named} {doubt}", hint)


def _named(notes: list[str]) -> str:
    """Returns notes on single reservations, to follow the message about all."""
    further = [f"and {len(notes) - MOST_NAMED} more"] if len(notes) > MOST_NAMED else []
    return "".join(f"; {note}" for note in [*notes[:MOST_NAMED], *further])


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
