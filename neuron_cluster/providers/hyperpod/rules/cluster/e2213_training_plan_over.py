from __future__ import annotations

from datetime import timedelta

from neuron_cluster.providers.hyperpod.groups import hyperpod_instances
from neuron_cluster.rules.base import Needs, Rule, RuleContext, Violation, Violations
from neuron_cluster.rules.block_window import clock, has_ended, window_of


class TrainingPlanOver(Rule):
    """No training plan of the file is over (`capacity.ends`): by the hour, with `--as-of` by the day.

    HyperPod takes its nodes back one hour before the end.

    Without this check SageMaker rejects the cluster, because the plan is neither Scheduled nor Active, and the stack
    rolls back.
    """

    id = "E2213"
    needs = Needs.DATE
    source = "https://docs.aws.amazon.com/sagemaker/latest/dg/training-plan-utilization-for-hyperpod.html"
    proposes = ("capacity", "ends", "plan_arn", "starts")

    def check(self, context: RuleContext) -> Violations:
        last = timedelta(minutes=context.catalog.limits["training_plan_last_minutes"].require_maximum())
        for group in hyperpod_instances(context.environment):
            ends = window_of(group.training_plan).ends if group.training_plan is not None else None
            if ends is None or not has_ended(ends, context.as_of, last):
                continue
            is_today = context.as_of <= ends.date()
            over = "and HyperPod takes its nodes back" if is_today else f"before the date checked ({context.as_of})"
            yield Violation(
                (*group.path, "capacity", "ends"),
                f"the training plan of {group.name} {'ends' if is_today else 'ended'} on {ends.date()}, {clock(ends)}, "
                f"{over}",
                "write plan_arn, starts and ends of the next plan (`aws sagemaker list-training-plans` lists them), or "
                "remove the group",
            )
