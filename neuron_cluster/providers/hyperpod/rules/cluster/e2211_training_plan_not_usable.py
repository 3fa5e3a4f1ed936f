from __future__ import annotations

from neuron_cluster.catalog.catalog import Catalog
from neuron_cluster.findings.text import listed
from neuron_cluster.providers.hyperpod.groups import HyperPodInstances, hyperpod_instances
from neuron_cluster.rules.base import Rule, RuleContext, Violation, Violations
from neuron_cluster.rules.training_plan_place import plan_of_another_place


class TrainingPlanNotUsable(Rule):
    """A group in a training plan has a type that plans have, and the plan is in its account and Region (`capacity`).

    A plan cannot be shared with another account, and its instances are in one zone of one Region.

    Without this check SageMaker rejects the cluster with a ValidationException, and the stack rolls back.
    """

    id = "E2211"
    source = (
        "boto/botocore 1.44.5: sagemaker ReservedCapacityInstanceType, TrainingPlanArn; "
        "https://docs.aws.amazon.com/sagemaker/latest/dg/reserve-capacity-with-training-plans.html"
    )
    proposes = ("capacity",)

    def check(self, context: RuleContext) -> Violations:
        for group in hyperpod_instances(context.environment):
            if group.training_plan is not None:
                yield from _of_type(group, context.catalog)
                config = context.environment.config
                yield from plan_of_another_place(group.path, group.training_plan.plan_arn, config, context.catalog)


def _of_type(group: HyperPodInstances, catalog: Catalog) -> Violations:
    row = catalog.hyperpod_types.get(group.spec.instance_type)
    if row is None or row.in_training_plans:  # rule E2205
        return
    sold = [each.name for each in catalog.hyperpod_types if each.in_training_plans]
    yield Violation(
        (*group.path, "capacity", "kind"),
        f"kind is training_plan, and training plans have {listed(sold)}, not {row.name}",
        f"set capacity: {{kind: on_demand}}, or use instance_type {listed(sold, 'or')}",
    )
