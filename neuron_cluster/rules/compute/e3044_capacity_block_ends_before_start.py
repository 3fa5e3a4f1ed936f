"""Capacity block that ends before it starts."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from typing import TYPE_CHECKING

from neuron_cluster.rules.base import ConfigRule, Violation
from neuron_cluster.rules.block_window import window_of

if TYPE_CHECKING:
    from neuron_cluster.catalog.catalog import Catalog
    from neuron_cluster.resolved.resolved_environment import ResolvedEnvironment


class CapacityBlockEndsBeforeStart(ConfigRule):
    """A capacity block ends after it starts (`capacity.ends`).

    Without this check AWS receives no request, and the toolkit computes wrong dates for the capacity block.
    """

    id = "E3044"
    source = "https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/ec2-capacity-blocks.html"
    proposes = ("capacity", "ends", "starts")

    def check(self, environment: ResolvedEnvironment, catalog: Catalog) -> Iterator[Violation]:
        del catalog
        for group in environment.compute_groups:
            if group.block is None:
                continue
            length = window_of(group.block).length
            if length is not None and length <= timedelta():
                yield Violation(
                    (*group.path, "capacity", "ends"),
                    f"ends is {group.block.ends}, but the block starts at {group.block.starts}",
                    "copy starts and ends from `aws ec2 describe-capacity-reservations --capacity-reservation-ids "
                    f"{group.block.reservation_id}`: StartDate and EndDate",
                )
