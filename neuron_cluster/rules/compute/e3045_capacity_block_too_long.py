"""Capacity block longer than AWS sells."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from typing import TYPE_CHECKING

from neuron_cluster.rules.base import ConfigRule, Violation
from neuron_cluster.rules.block_window import window_of

if TYPE_CHECKING:
    from neuron_cluster.catalog.catalog import Catalog
    from neuron_cluster.resolved.resolved_environment import ResolvedEnvironment


class CapacityBlockTooLong(ConfigRule):
    """A capacity block is not longer than EC2 sells them, extensions included (`capacity.ends`).

    Without this check AWS receives no request. The block ends before the configured end, and its instances are
    terminated.
    """

    id = "E3045"
    source = "https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/ec2-capacity-blocks.html"
    proposes = ("capacity", "ends", "starts")

    def check(self, environment: ResolvedEnvironment, catalog: Catalog) -> Iterator[Violation]:
        maximum = catalog.limit("capacity_block_days").require_maximum()
        for group in environment.compute_groups:
            length = window_of(group.block).length if group.block is not None else None
            if group.block is not None and length is not None and length > timedelta(days=maximum):
                yield Violation(
                    (*group.path, "capacity", "ends"),
                    f"starts to ends is {length.days} days, but a capacity block has at most {maximum} days",
                    "copy starts and ends from `aws ec2 describe-capacity-reservations --capacity-reservation-ids "
                    f"{group.block.reservation_id}`: StartDate and EndDate",
                )
