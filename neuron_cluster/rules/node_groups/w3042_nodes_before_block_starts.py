"""Nodes asked for before their capacity block starts."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from neuron_cluster.rules.asked_node_group import asked_node_groups
from neuron_cluster.rules.base import DatedRule, Problem
from neuron_cluster.rules.block_window import clock, window_of

if TYPE_CHECKING:
    from datetime import date

    from neuron_cluster.catalog.catalog import Catalog
    from neuron_cluster.config.environment import EnvironmentConfig


class NodesBeforeBlockStarts(DatedRule):
    """On the day of `--as-of` the capacity block of a group that wants nodes has started.

    Asked where the file says when the block `starts`; without that see rule W3026. Only a warning: the file may be
    written ahead of its deploy.

    Without it: EC2 refuses every launch until the block begins, and EKS reports the node group as CREATE_FAILED, so
    that the nodes stack rolls back.
    """

    id = "W3042"
    source = "https://docs.aws.amazon.com/eks/latest/userguide/capacity-blocks-mng.html"

    def check(self, config: EnvironmentConfig, catalog: Catalog, as_of: date) -> Iterator[Problem]:
        for asked in asked_node_groups(config, catalog):
            starts = window_of(asked.block).starts if asked.block is not None else None
            desired = asked.group.count.desired
            if starts is None or desired == 0 or as_of > starts.date():
                continue
            day = "on that day" if as_of == starts.date() else f"on {starts.date()}"
            yield Problem(
                (*asked.path, "count", "desired"),
                f"desired is {desired} on {as_of}, but the capacity block of {asked.group.name} starts only {day}, "
                f"{clock(starts)}",
                f"set desired: 0 until `aws ec2 describe-capacity-reservations --capacity-reservation-ids "
                f"{asked.reservation_id}` says active; then set it back to {desired} and deploy",
            )
