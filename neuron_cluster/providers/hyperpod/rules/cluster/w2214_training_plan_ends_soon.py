from __future__ import annotations

from datetime import UTC, date, datetime, time, timedelta

from neuron_cluster.providers.hyperpod.groups import hyperpod_instances
from neuron_cluster.rules.base import Needs, Rule, RuleContext, Violation, Violations
from neuron_cluster.rules.block_window import Today, clock, has_ended, window_of

SOON = timedelta(days=1)


class TrainingPlanEndsSoon(Rule):
    """The training plan of a group ends more than a day after the date of `--as-of` (`capacity.ends`).

    HyperPod takes its nodes back one hour before the end.

    Without this check AWS reports nothing before: unsaved data of the jobs is lost.
    """

    id = "W2214"
    needs = Needs.DATE
    source = "https://docs.aws.amazon.com/sagemaker/latest/dg/training-plan-utilization-for-hyperpod.html"

    def check(self, context: RuleContext) -> Violations:
        last = timedelta(minutes=context.catalog.limits["training_plan_last_minutes"].require_maximum())
        now = _moment(context.as_of)
        for group in hyperpod_instances(context.environment):
            ends = window_of(group.training_plan).ends if group.training_plan is not None else None
            if ends is None or ends - now > SOON or has_ended(ends, context.as_of, last):
                continue
            back = ends - last
            yield Violation(
                (*group.path, "capacity", "ends"),
                f"the training plan of {group.name} ends on {ends.date()}, {clock(ends)}, and HyperPod takes its nodes "
                f"back at {clock(back)}",
                f"save the data of its nodes before {clock(back)}; `aws sagemaker list-training-plans` lists others",
            )


def _moment(as_of: date) -> datetime:
    """A date of `--as-of` has no hours: its beginning."""
    return as_of.moment if isinstance(as_of, Today) else datetime.combine(as_of, time(), UTC)
