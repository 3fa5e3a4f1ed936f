"""One reservation, several node groups."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from neuron_cluster.config.capacity import UltraserverBlock
from neuron_cluster.rules.asked_machine import asked_machines
from neuron_cluster.rules.base import ConfigRule, Violation
from neuron_cluster.rules.node_groups.e3024_reservation_of_two_kinds import differences

if TYPE_CHECKING:
    from neuron_cluster.catalog.catalog import Catalog
    from neuron_cluster.config.environment import EnvironmentConfig
    from neuron_cluster.rules.asked_machine import AskedMachine


class ReservationSharedByGroups(ConfigRule):
    """A reservation belongs to one node group or workstation.

    Only a warning: two groups may share one if their sizes together fit in it, which the file does not say.

    Without it: AWS answers late. The groups take machines from each other: the one that starts second gets
    ReservationCapacityExceeded for the rest of its nodes, and so does every replacement.
    """

    id = "W3025"
    source = "https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/capacity-reservations-using.html"

    def check(self, config: EnvironmentConfig, catalog: Catalog) -> Iterator[Violation]:
        first: dict[str, AskedMachine] = {}
        for asked in asked_machines(config, catalog):
            if asked.reservation_id is None:
                continue
            other = first.setdefault(asked.reservation_id, asked)
            is_ultraserver_block = isinstance(asked.wish.capacity, UltraserverBlock)  # rule E3048
            if other is not asked and not is_ultraserver_block and not any(differences(other, asked)):  # rule E3024
                most = asked.most + other.most
                yield Violation(
                    (*asked.path, "capacity", "reservation_id"),
                    f"{other.wish.name} and {asked.wish.name} share {asked.reservation_id}; together they may want "
                    f"{most} machines of it",
                    "make it one group, or keep the sum of both max at what the reservation holds",
                )
