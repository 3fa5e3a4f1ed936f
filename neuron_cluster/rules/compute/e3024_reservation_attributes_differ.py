from __future__ import annotations

from collections.abc import Iterator

from neuron_cluster.findings.text import listed
from neuron_cluster.resolved.compute_group import ComputeGroup
from neuron_cluster.rules.base import Rule, RuleContext, Violation, Violations


class ReservationAttributesDiffer(Rule):
    """Node groups and workstations with the same reservation agree on its attributes (`reservation_id`).

    A reservation has one instance type, one zone, one start and one end, and is a capacity block or not.

    Without this check the nodes of one of the groups never start. EC2 runs no instance in a reservation with other
    attributes, and the group becomes CREATE_FAILED after half an hour.
    """

    id = "E3024"
    source = "https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/ec2-capacity-reservations.html"
    proposes = ("capacity",)

    def check(self, context: RuleContext) -> Violations:
        first: dict[str, ComputeGroup] = {}
        for group in context.environment.compute_groups:
            if group.reservation_id is None:
                continue
            other = first.setdefault(group.reservation_id, group)
            if found := list(differences(other, group)):
                yield Violation(
                    (*group.path, "capacity", "reservation_id"),
                    f"{other.name} and {group.name} use the same reservation, but differ in {listed(found)}",
                    f"compare both with `aws ec2 describe-capacity-reservations --capacity-reservation-ids "
                    f"{group.reservation_id}`, and set another reservation_id for one of them",
                )


def differences(one: ComputeGroup, other: ComputeGroup) -> Iterator[str]:
    """Attributes of the capacity in which the two differ, with both values."""
    pairs = {
        "capacity.kind": (one.capacity.kind, other.capacity.kind),
        "instance_type": (one.spec.instance_type, other.spec.instance_type),
        "availability_zone": (one.spec.availability_zone, other.spec.availability_zone),
        "capacity.starts": (_time(one, "starts"), _time(other, "starts")),
        "capacity.ends": (_time(one, "ends"), _time(other, "ends")),
    }
    for key, (first, second) in pairs.items():
        if first is not None and second is not None and first != second:  # without a zone: rule E3013
            yield f"{key} ({first}, {second})"


def _time(group: ComputeGroup, key: str) -> str | None:
    return getattr(group.block, key) if group.block is not None else None
