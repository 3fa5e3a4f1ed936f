"""The capacity reservations and capacity blocks that compute groups are to run in."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime, timedelta

from neuron_cluster.aws.capacity_reservations import (
    CapacityReservation,
    all_reservations,
    reservations_of_group,
    unavailable_instances,
)
from neuron_cluster.aws.reading import NotRead, reading
from neuron_cluster.findings.text import counted
from neuron_cluster.plan.compute_group_plan import ComputeGroupPlan
from neuron_cluster.protocol.status import StatusLine, StatusQuery, StatusSection, error, healthy, warning

ACTIVE, SCHEDULED = "active", "scheduled"
SOON = timedelta(hours=24)
Reservations = Mapping[str, CapacityReservation] | NotRead


def capacity_section(query: StatusQuery) -> StatusSection | None:
    """None where no compute group names a reservation."""
    groups = [group for group in query.plan.compute_groups if _is_named(group)]
    if not groups:
        return None
    found = reading("ec2", lambda: {row.id: row for row in all_reservations(query.access.target)})
    lines = [line for group in groups for line in _lines(query, group, found)]
    if any(group.machine.purchase.is_block for group in groups):
        lines += _unavailable(query, groups)
    return StatusSection("Capacity", lines)


def _unavailable(query: StatusQuery, groups: Sequence[ComputeGroupPlan]) -> Iterator[StatusLine]:
    """Yields instances of the blocks that EC2 has taken out of service; a healthy block has no line of its own."""
    found = reading("ec2", lambda: unavailable_instances(query.access.target))
    if isinstance(found, NotRead):
        yield query.not_read("instances of capacity blocks", found)
        return
    for group in groups:
        reservation_id = group.machine.purchase.reservation_id
        if reservation_id is not None and found.get(reservation_id, 0):
            cause = f"{counted(found[reservation_id], 'instance')} of the capacity block failed a system check of EC2"
            command = query.access.aws_command("ec2 describe-capacity-block-status")
            yield error(f"instances of {group.name}", cause, command)


def _is_named(group: ComputeGroupPlan) -> bool:
    purchase = group.machine.purchase
    return purchase.reservation_id is not None or purchase.resource_group_arn is not None


def _lines(query: StatusQuery, group: ComputeGroupPlan, found: Reservations) -> Iterator[StatusLine]:
    purchase = group.machine.purchase
    ids: list[str] | NotRead | None = [purchase.reservation_id] if purchase.reservation_id is not None else None
    if (arn := purchase.resource_group_arn) is not None:
        ids = reading("resource-groups", lambda: reservations_of_group(query.access.target, arn))
    if isinstance(ids, NotRead):
        yield query.not_read(f"resource group of {group.name}", ids)
    elif isinstance(found, NotRead):
        yield query.not_read(f"reservation of {group.name}", found)
    elif not ids:
        command = query.access.aws_command("resource-groups list-group-resources", group=arn or "")
        yield error(f"resource group of {group.name}", f"{arn} does not exist or has no reservation", command)
    else:
        for reservation_id in ids:
            yield _line(query, group, reservation_id, found.get(reservation_id))


def _line(
    query: StatusQuery, group: ComputeGroupPlan, reservation_id: str, found: CapacityReservation | None
) -> StatusLine:
    subject = f"{group.name} in {reservation_id}"
    offers = query.toolkit_command("capacity offers")
    if found is None:
        cause = "the reservation does not exist in this account, or is no longer shared with it"
        return error(subject, cause, query.access.aws_command("ec2 describe-capacity-reservations"))
    kind = "capacity block" if found.is_block else "capacity reservation"
    show = query.access.aws_command("ec2 describe-capacity-reservations", capacity_reservation_ids=reservation_id)
    if found.state == SCHEDULED and found.start is not None:
        return warning(subject, f"the {kind} begins {_when(found.start, query.at)}: no instance starts before", show)
    if found.state != ACTIVE:
        ended = f", since {found.end:%Y-%m-%d %H:%M} UTC" if found.end is not None and found.end <= query.at else ""
        cause = f"the {kind} is {found.state}{ended}: no instance of the group starts"
        return error(subject, cause, offers, since=found.end if ended else None)
    if found.end is not None and found.end - query.at < SOON:
        cause = f"the {kind} ends {_when(found.end, query.at)}: save checkpoints, and name the next one in the file"
        return warning(subject, cause, offers)
    until = f", ends {_when(found.end, query.at)}" if found.end is not None else ""
    return healthy(subject, f"{found.state}, {found.available} of {counted(found.count, 'instance')} free{until}")


def _when(moment: datetime, at: datetime) -> str:
    """``2026-12-01 11:30 UTC, in 1 d 3 h``."""
    hours, minutes = divmod(int((moment - at).total_seconds() // 60), 60)
    days, hours = divmod(hours, 24)
    left = f"{days} d {hours} h" if days else f"{hours} h {minutes} min"
    return f"{moment:%Y-%m-%d %H:%M} UTC, in {left}"
