from __future__ import annotations

from datetime import timedelta

from neuron_cluster.providers.hyperpod.groups import hyperpod_instances
from neuron_cluster.rules.base import Rule, RuleContext, Violation, Violations
from neuron_cluster.rules.block_window import window_of


class TrainingPlanEndsBeforeStart(Rule):
    """A training plan ends after it starts (`capacity.ends`).

    Without this check AWS receives no request, and the toolkit computes wrong dates for the plan.
    """

    id = "E2212"
    source = "boto/botocore 1.44.5: sagemaker DescribeTrainingPlanResponse StartTime, EndTime"
    proposes = ("ends", "starts")

    def check(self, context: RuleContext) -> Violations:
        for group in hyperpod_instances(context.environment):
            plan = group.training_plan
            length = window_of(plan).length if plan is not None else None
            if plan is not None and length is not None and length <= timedelta():
                yield Violation(
                    (*group.path, "capacity", "ends"),
                    f"ends is {plan.ends}, but the training plan starts at {plan.starts}",
                    "copy starts and ends from `aws sagemaker describe-training-plan --training-plan-name "
                    f"{plan.name}`: StartTime and EndTime",
                )
