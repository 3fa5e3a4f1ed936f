from __future__ import annotations

from datetime import timedelta

from neuron_cluster.providers.hyperpod.config.cluster import HyperPod
from neuron_cluster.providers.hyperpod.groups import hyperpod_instances
from neuron_cluster.rules.base import Needs, Rule, RuleContext, Violation, Violations
from neuron_cluster.rules.block_window import clock, window_of


class DesiredBeforeTrainingPlan(Rule):
    """The training plan of a group with instances has started on the date of `--as-of` (`capacity.starts`).

    Checked where the file sets `starts`. Only a warning: the file may be written before its deploy, and with continuous
    provisioning HyperPod waits for the plan.

    Without this check a deploy of a cluster without continuous provisioning fails; with it, the deploy is complete and
    its jobs wait.
    """

    id = "W2215"
    needs = Needs.DATE
    source = "https://docs.aws.amazon.com/sagemaker/latest/dg/training-plan-utilization-for-hyperpod.html"
    proposes = ("desired",)

    def check(self, context: RuleContext) -> Violations:
        hyperpod = context.environment.config.section(HyperPod)
        for group in hyperpod_instances(context.environment):
            plan, desired = group.training_plan, group.scaling.desired
            if plan is None:
                continue
            window = window_of(plan)
            starts, length = window.starts, window.length
            if length is not None and length <= timedelta():  # rule E2212
                continue
            # Dates are compared, not times: on its first day the plan may already have started.
            if starts is None or desired == 0 or context.as_of >= starts.date():
                continue
            is_continuous = hyperpod is not None and hyperpod.continuous
            then = "its jobs wait until then" if is_continuous else "a deploy before that fails"
            ready = f"`aws sagemaker describe-training-plan --training-plan-name {plan.name}` returns Active"
            yield Violation(
                (*group.path, "count", "desired"),
                f"desired is {desired} on {context.as_of}, but the training plan of {group.name} starts only on "
                f"{starts.date()}, {clock(starts)}: {then}",
                f"set desired: 0 until {ready}; then set it back to {desired} and deploy",
            )
