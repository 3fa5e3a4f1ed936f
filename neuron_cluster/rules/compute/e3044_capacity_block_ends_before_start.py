from __future__ import annotations

from datetime import timedelta

from neuron_cluster.rules.base import Rule, RuleContext, Violation, Violations
from neuron_cluster.rules.block_window import window_of


class CapacityBlockEndsBeforeStart(Rule):
    """A capacity block ends after it starts (`capacity.ends`).

    Without this check AWS receives no request, and the toolkit computes wrong dates for the capacity block.
    """

    id = "E3044"
    source = "https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/ec2-capacity-blocks.html"
    proposes = ("capacity", "ends", "starts")

    def check(self, context: RuleContext) -> Violations:
        for group in context.environment.compute_groups:
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
