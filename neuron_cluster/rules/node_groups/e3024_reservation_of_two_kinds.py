"""One reservation for machines that cannot share one."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from neuron_cluster.rules.asked_machine import asked_machines
from neuron_cluster.rules.base import ConfigRule, Violation
from neuron_cluster.rules.wording import listed

if TYPE_CHECKING:
    from neuron_cluster.catalog.catalog import Catalog
    from neuron_cluster.config.environment import EnvironmentConfig
    from neuron_cluster.rules.asked_machine import AskedMachine


class ReservationOfTwoKinds(ConfigRule):
    """Groups and workstations that name one reservation agree on its kind, instance type, zone, start and end.

    A reservation holds machines of one type in one zone, and is a capacity block or is none.

    Without it: the nodes of one of the groups never start. EC2 runs no instance in a reservation
    whose attributes are others, and EKS reports the group as CREATE_FAILED after half an hour of trying.
    """

    id = "E3024"
    source = "https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/ec2-capacity-reservations.html"

    def check(self, config: EnvironmentConfig, catalog: Catalog) -> Iterator[Violation]:
        first: dict[str, AskedMachine] = {}
        for asked in asked_machines(config, catalog):
            if asked.reservation_id is None:
                continue
            other = first.setdefault(asked.reservation_id, asked)
            if found := list(differences(other, asked)):
                yield Violation(
                    (*asked.path, "capacity", "reservation_id"),
                    f"{other.wish.name} and {asked.wish.name} name the same reservation, but differ in {listed(found)}",
                    f"compare both with `aws ec2 describe-capacity-reservations --capacity-reservation-ids "
                    f"{asked.reservation_id}`, and give one of them another reservation",
                )


def differences(one: AskedMachine, other: AskedMachine) -> Iterator[str]:
    """What the two say differently of the capacity that they run in, with both values."""
    pairs = {
        "capacity.kind": (one.wish.capacity.kind, other.wish.capacity.kind),
        "instance_type": (one.wish.instance_type, other.wish.instance_type),
        "availability_zone": (one.wish.availability_zone, other.wish.availability_zone),
        "capacity.starts": (_time(one, "starts"), _time(other, "starts")),
        "capacity.ends": (_time(one, "ends"), _time(other, "ends")),
    }
    for key, (first, second) in pairs.items():
        if first is not None and second is not None and first != second:  # without a zone: rule E3013
            yield f"{key} ({first}, {second})"


def _time(asked: AskedMachine, key: str) -> str | None:
    return getattr(asked.block, key) if asked.block is not None else None
