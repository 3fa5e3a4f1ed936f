"""One reservation, several node groups."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from neuron_cluster.config.capacity import UltraserverBlock
from neuron_cluster.resolved.compute_group import ComputeGroup
from neuron_cluster.rules.base import ConfigRule, Violation
from neuron_cluster.rules.compute.e3024_reservation_of_two_kinds import differences

if TYPE_CHECKING:
    from neuron_cluster.catalog.catalog import Catalog
    from neuron_cluster.resolved.environment import ResolvedEnvironment


class ReservationSharedByGroups(ConfigRule):
    """A reservation belongs to one node group or workstation.

    Only a warning: two groups may share one if their sizes together fit in it, which the file does not say.

    Without this check AWS reports the error late. The groups take machines from each other: the one that starts second
    gets ReservationCapacityExceeded for the rest of its nodes, and so does every replacement.
    """

    id = "W3025"
    source = "https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/capacity-reservations-using.html"

    def check(self, environment: ResolvedEnvironment, catalog: Catalog) -> Iterator[Violation]:
        del catalog
        first: dict[str, ComputeGroup] = {}
        for node_group in environment.compute_groups:
            if node_group.reservation_id is None:
                continue
            other = first.setdefault(node_group.reservation_id, node_group)
            is_ultraserver_block = isinstance(node_group.capacity, UltraserverBlock)  # rule E3048
            if (
                other is not node_group and not is_ultraserver_block and not any(differences(other, node_group))
            ):  # rule E3024
                most = node_group.scaling.require_maximum() + other.scaling.require_maximum()
                yield Violation(
                    (*node_group.path, "capacity", "reservation_id"),
                    f"{other.name} and {node_group.name} share {node_group.reservation_id}; together they may want "
                    f"{most} machines of it",
                    "make it one group, or keep the sum of both max at what the reservation holds",
                )
