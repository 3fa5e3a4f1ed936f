from __future__ import annotations

from neuron_cluster.template_rules.base import TemplateContext, TemplateRule, Violation, Violations
from neuron_cluster.template_rules.property_tree import is_given
from neuron_cluster.template_rules.sagemaker.hyperpod_cluster import CLUSTER, groups_of


class TrainingPlanWithSpot(TemplateRule):
    """An instance group has one purchase option, a training plan or Spot (`TrainingPlanArn`)."""

    id = "E8932"
    operation = "sagemaker:CreateCluster"
    error_code = "ValidationException"
    source = "https://docs.aws.amazon.com/sagemaker/latest/dg/sagemaker-hyperpod-spot.html"
    types = (CLUSTER,)

    def check(self, context: TemplateContext) -> Violations:
        for group in groups_of(context.resource):
            if group.is_on_spot and is_given(group.at("TrainingPlanArn")):
                yield Violation(
                    f"{group.path}.TrainingPlanArn",
                    "is set, and CapacityRequirements.Spot too",
                    "remove CapacityRequirements, or TrainingPlanArn",
                )
