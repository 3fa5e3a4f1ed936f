"""Expired capacity blocks."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from neuron_cluster.findings.commands import Command
from neuron_cluster.rules.base import DatedRule, Violation
from neuron_cluster.rules.block_window import clock, window_of

if TYPE_CHECKING:
    from datetime import date

    from neuron_cluster.catalog.catalog import Catalog
    from neuron_cluster.resolved.resolved_environment import ResolvedEnvironment


class CapacityBlockExpired(DatedRule):
    """No capacity block of the file ended before the date of `--as-of` (`capacity.ends`).

    Without this check AWS reports the error late. The reservation is expired, EC2 rejects every launch with
    InvalidCapacityReservationState, and the Auto Scaling group keeps retrying.
    """

    id = "E3043"
    source = "https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/ec2-capacity-blocks.html"
    proposes = ("capacity", "ends", "reservation_id", "starts")
    references = ("aws/karpenter-provider-aws#8362",)

    def check(self, environment: ResolvedEnvironment, catalog: Catalog, as_of: date) -> Iterator[Violation]:
        del catalog
        for group in environment.compute_groups:
            ends = window_of(group.block).ends if group.block is not None else None
            if ends is not None and as_of > ends.date():
                yield Violation(
                    (*group.path, "capacity", "ends"),
                    f"the capacity block of {group.name} ended on {ends.date()}, {clock(ends)}, before the "
                    f"date checked ({as_of})",
                    "write reservation_id, starts and ends of the next block "
                    f"(`{Command.CAPACITY_OFFERS}` finds one), or remove the group",
                )
