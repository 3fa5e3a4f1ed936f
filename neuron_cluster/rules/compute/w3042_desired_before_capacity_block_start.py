from __future__ import annotations

from neuron_cluster.rules.base import Needs, Rule, RuleContext, Violation, Violations
from neuron_cluster.rules.block_window import clock, window_of


class DesiredBeforeCapacityBlockStart(Rule):
    """The capacity block of nodes or a workstation has started on the date of `--as-of` (`capacity.starts`).

    Checked where the file sets `starts`; otherwise see rule W3026. Only a warning: the file may be written before its
    deploy. PCS waits for the block by itself.

    Without this check EC2 rejects every launch until the block starts, the group becomes CREATE_FAILED, and the nodes
    stack rolls back.
    """

    id = "W3042"
    needs = Needs.DATE
    source = "https://docs.aws.amazon.com/eks/latest/userguide/capacity-blocks-mng.html"
    proposes = ("capacity", "desired")

    def check(self, context: RuleContext) -> Violations:
        for group in context.environment.compute_groups:
            starts = window_of(group.block).starts if group.block is not None else None
            desired = group.scaling.desired
            if starts is None or desired == 0 or context.as_of > starts.date() or group.waits_for_block:
                continue
            command = f"aws ec2 describe-capacity-reservations --capacity-reservation-ids {group.reservation_id}"
            # Dates are compared, not times: on its first day the block may already have started.
            is_today = context.as_of == starts.date()
            begins = (
                f"starts on {context.as_of}, {clock(starts)}"
                if is_today
                else f"starts only on {starts.date()}, {clock(starts)}"
            )
            then = f"deploy after {clock(starts)}, once `{command}` returns active"
            if group.is_workstation:
                now = "and" if is_today else f"but on {context.as_of}"
                message = f"{group.name} starts when it is deployed, {now} its capacity block {begins}"
                yield Violation((*group.path, "capacity", "starts"), message, then)
                continue
            now = f"desired is {desired}, and" if is_today else f"desired is {desired} on {context.as_of}, but"
            until = f"; to deploy before, set desired: 0 and set it back to {desired} later"
            later = f"set desired: 0 until `{command}` returns active; then set it back to {desired} and deploy"
            yield Violation(
                (*group.path, "count", "desired"),
                f"{now} the capacity block of {group.name} {begins}",
                then + until if is_today else later,
            )
