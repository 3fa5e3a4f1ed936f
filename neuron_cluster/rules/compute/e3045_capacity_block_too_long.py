from __future__ import annotations

from datetime import timedelta

from neuron_cluster.rules.base import Rule, RuleContext, Violation, Violations
from neuron_cluster.rules.block_window import window_of


class CapacityBlockTooLong(Rule):
    """A capacity block is not longer than EC2 sells them, extensions included (`capacity.ends`).

    Without this check AWS receives no request. The block ends before the configured end, and its instances are
    terminated.
    """

    id = "E3045"
    source = "https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/ec2-capacity-blocks.html"
    proposes = ("capacity", "ends", "starts")

    def check(self, context: RuleContext) -> Violations:
        maximum = context.catalog.limits["capacity_block_days"].require_maximum()
        for group in context.environment.compute_groups:
            length = window_of(group.block).length if group.block is not None else None
            if group.block is not None and length is not None and length > timedelta(days=maximum):
                yield Violation(
                    (*group.path, "capacity", "ends"),
                    f"starts to ends is {length.days} days, but a capacity block has at most {maximum} days",
                    "copy starts and ends from `aws ec2 describe-capacity-reservations --capacity-reservation-ids "
                    f"{group.block.reservation_id}`: StartDate and EndDate",
                )
