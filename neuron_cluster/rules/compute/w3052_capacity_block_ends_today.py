from __future__ import annotations

from datetime import timedelta

from neuron_cluster.rules.base import Needs, Rule, RuleContext, Violation, Violations
from neuron_cluster.rules.block_window import clock, has_ended, window_of


class CapacityBlockEndsToday(Rule):
    """The capacity block of nodes or a workstation does not end on the date of `--as-of` (`capacity.ends`).

    Without this check AWS reports the error late. EC2 begins to terminate the instances half an hour before the end,
    or earlier, and unsaved data is lost.
    """

    id = "W3052"
    needs = Needs.DATE
    source = "https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/ec2-capacity-blocks.html"
    proposes = ("desired",)
    references = ("aws/karpenter-provider-aws#8362",)

    def check(self, context: RuleContext) -> Violations:
        as_of = context.as_of
        last = timedelta(minutes=context.catalog.limits["capacity_block_last_minutes"].require_maximum())
        for group in context.environment.compute_groups:
            ends = window_of(group.block).ends if group.block is not None else None
            is_running = group.scaling.desired > 0 or group.waits_for_block
            if ends is None or as_of != ends.date() or not is_running or has_ended(ends, as_of, last):
                continue
            when = f"at {clock(ends)} on the date checked ({as_of}); EC2 terminates its instances before the end"
            if group.is_workstation:
                yield Violation(
                    (*group.path, "capacity", "ends"),
                    f"the capacity block of {group.name} ends {when}",
                    "save data outside its home, and deploy the file without it an hour before the end",
                )
            elif group.waits_for_block:
                yield Violation(
                    (*group.path, "capacity", "ends"),
                    f"the capacity block of {group.name} ends {when}",
                    "save the data of its nodes an hour before the end; jobs wait for the next block",
                )
            else:
                yield Violation(
                    (*group.path, "count", "desired"),
                    f"desired is {group.scaling.desired}, but the capacity block of {group.name} ends {when}",
                    "save the data of its nodes, set desired: 0 and deploy an hour before the end",
                )
