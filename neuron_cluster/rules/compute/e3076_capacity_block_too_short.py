from __future__ import annotations

from datetime import timedelta

from neuron_cluster.rules.base import Rule, RuleContext, Violation, Violations
from neuron_cluster.rules.block_window import window_of


class CapacityBlockTooShort(Rule):
    """A capacity block is longer than the time in which EC2 terminates its instances (`capacity.ends`).

    EC2 sells blocks of whole days, and terminates instances from 30 minutes before the end.

    Without this check a mistyped time is deployed: no instance ever starts in the block.
    """

    id = "E3076"
    source = "https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/ec2-capacity-blocks.html"
    proposes = ("ends", "starts")

    def check(self, context: RuleContext) -> Violations:
        minutes = context.catalog.limits["capacity_block_last_minutes"].require_maximum()
        for group in context.environment.compute_groups:
            length = window_of(group.block).length if group.block is not None else None
            if group.block is not None and length is not None and timedelta(0) < length <= timedelta(minutes=minutes):
                yield Violation(
                    (*group.path, "capacity", "ends"),
                    f"starts to ends is {length.seconds // 60} minutes, but EC2 terminates instances from {minutes} "
                    "minutes before the end",
                    "copy starts and ends from `aws ec2 describe-capacity-reservations --capacity-reservation-ids "
                    f"{group.block.reservation_id}`: StartDate and EndDate",
                )
