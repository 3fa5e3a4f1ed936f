from __future__ import annotations

from neuron_cluster.template_rules.base import TemplateContext, TemplateRule, Violation, Violations
from neuron_cluster.template_rules.property_tree import is_given
from neuron_cluster.template_rules.sagemaker.hyperpod_cluster import CLUSTER, groups_of


class TwoLifeCycleScripts(TemplateRule):
    """A life cycle script runs in the place of the AMI's setup or after it (`OnCreate`, `OnInitComplete`)."""

    id = "E8918"
    operation = "sagemaker:CreateCluster"
    error_code = "ValidationException"
    source = "cfn-lint 1.58.0: AWS::SageMaker::Cluster LifeCycleConfig"
    types = (CLUSTER,)

    def check(self, context: TemplateContext) -> Violations:
        for group in groups_of(context.resource):
            if all(is_given(group.at("LifeCycleConfig", name)) for name in ("OnCreate", "OnInitComplete")):
                yield Violation(
                    f"{group.path}.LifeCycleConfig.OnInitComplete",
                    "is set, and OnCreate too",
                    "remove OnInitComplete, or OnCreate",
                )
