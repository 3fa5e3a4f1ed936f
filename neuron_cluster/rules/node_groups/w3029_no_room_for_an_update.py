"""Reservations that are used to the last machine."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from neuron_cluster.config.capacity import Reservation, ReservationMatch
from neuron_cluster.rules.asked_node_group import asked_node_groups
from neuron_cluster.rules.base import ConfigRule, Problem

if TYPE_CHECKING:
    from neuron_cluster.catalog.catalog import Catalog
    from neuron_cluster.config.environment import EnvironmentConfig


class NoRoomForAnUpdate(ConfigRule):
    """A node group in a reservation leaves room for the node that an update starts first.

    EKS updates a group by starting a new node before it drains an old one. Only a warning: the reservation may hold
    more machines than the group may have. (For capacity blocks see rule W3026; with
    `match: open` the further machine runs on demand.)

    Without it: AWS answers late. The first update of image or launch template finds no machine in the reservation,
    waits for one, and fails with NodeCreationFailure or ReservationCapacityExceeded.
    """

    id = "W3029"
    source = "https://docs.aws.amazon.com/eks/latest/userguide/managed-node-update-behavior.html"

    def check(self, config: EnvironmentConfig, catalog: Catalog) -> Iterator[Problem]:
        for asked in asked_node_groups(config, catalog):
            count, capacity = asked.group.count, asked.group.capacity
            is_targeted = isinstance(capacity, Reservation) and capacity.match is ReservationMatch.TARGETED
            if is_targeted and count.desired == count.max:
                yield Problem(
                    (*asked.path, "count", "max"),
                    f"{asked.group.name} runs all {count.max} machines that it may have; an update starts one more "
                    "first",
                    f"if the reservation holds more, say so with max: {count.max + 1}; if not, lower desired before "
                    "each update",
                )
