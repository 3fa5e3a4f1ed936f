from __future__ import annotations

from datetime import timedelta

from neuron_cluster.findings.commands import Command
from neuron_cluster.rules.base import Needs, Rule, RuleContext, Violation, Violations
from neuron_cluster.rules.block_window import clock, has_ended, window_of


class CapacityBlockExpired(Rule):
    """No capacity block of the file has ended (`capacity.ends`): by the hour, with `--as-of` by the day.

    EC2 starts no instance in the last half hour of a block.

    Without this check AWS reports the error late. The reservation is expired, EC2 rejects every launch with
    InvalidCapacityReservationState, and the Auto Scaling group keeps retrying.
    """

    id = "E3043"
    needs = Needs.DATE
    source = "https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/ec2-capacity-blocks.html"
    proposes = ("capacity", "ends", "reservation_id", "starts")
    references = ("aws/karpenter-provider-aws#8362",)

    def check(self, context: RuleContext) -> Violations:
        last = timedelta(minutes=context.catalog.limits["capacity_block_last_minutes"].require_maximum())
        for group in context.environment.compute_groups:
            ends = window_of(group.block).ends if group.block is not None else None
            if ends is not None and has_ended(ends, context.as_of, last):
                over = f"before the date checked ({context.as_of})"
                if context.as_of <= ends.date():
                    over = "and EC2 starts no instance in it"
                yield Violation(
                    (*group.path, "capacity", "ends"),
                    f"the capacity block of {group.name} {'ends' if context.as_of <= ends.date() else 'ended'} on "
                    f"{ends.date()}, {clock(ends)}, {over}",
                    "write reservation_id, starts and ends of the next block "
                    f"(`{Command.CAPACITY_OFFERS}` finds one), or remove the group",
                )
