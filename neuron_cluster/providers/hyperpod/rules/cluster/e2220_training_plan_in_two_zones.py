from __future__ import annotations

from neuron_cluster.providers.hyperpod.groups import HyperPodInstances, hyperpod_instances
from neuron_cluster.rules.base import Rule, RuleContext, Violation, Violations


class TrainingPlanInTwoZones(Rule):
    """Groups of one training plan are in one Availability Zone (`availability_zone`).

    The instances of a plan for HyperPod are in a single zone. A group without `availability_zone` is in the first zone
    of the network.

    Without this check SageMaker finds no capacity of the plan in the zone of one of the groups, and its nodes never
    start.
    """

    id = "E2220"
    source = "https://docs.aws.amazon.com/sagemaker/latest/dg/training-plan-utilization-for-hyperpod.html"
    proposes = ("availability_zone",)

    def check(self, context: RuleContext) -> Violations:
        first: dict[str, HyperPodInstances] = {}
        for group in hyperpod_instances(context.environment):
            plan = group.training_plan
            if plan is None or not group.zone_ids:
                continue
            other = first.setdefault(plan.plan_arn, group)
            if group.zone_ids == other.zone_ids:
                continue
            (zone,), (its_zone,) = group.zone_ids, other.zone_ids
            has_key = group.spec.availability_zone is not None
            yield Violation(
                (*group.path, *(("availability_zone",) if has_key else ("capacity", "plan_arn"))),
                f"{group.name} is in {zone} and {other.name} in {its_zone}, but both have the training plan "
                f"{plan.name}, which is in one zone",
                f"set availability_zone: {its_zone} for {group.name} or availability_zone: {zone} for {other.name}, "
                "whichever is AvailabilityZoneId in the answer of "
                f"`aws sagemaker describe-training-plan --training-plan-name {plan.name}`",
                related=((*other.path, "capacity", "plan_arn"),),
            )
