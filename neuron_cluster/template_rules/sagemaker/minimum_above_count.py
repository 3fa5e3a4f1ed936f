from __future__ import annotations

from neuron_cluster.template_rules.base import TemplateContext, TemplateRule, Violation, Violations
from neuron_cluster.template_rules.property_tree import whole_number
from neuron_cluster.template_rules.sagemaker.hyperpod_cluster import CLUSTER, groups_of


class MinimumAboveCount(TemplateRule):
    """The least number of instances of a group is not above its number (`MinInstanceCount`)."""

    id = "E8920"
    operation = "sagemaker:CreateCluster"
    error_code = "ValidationException"
    source = "https://docs.aws.amazon.com/sagemaker/latest/dg/sagemaker-hyperpod-scaling-eks.html"
    types = (CLUSTER,)

    def check(self, context: TemplateContext) -> Violations:
        for group in groups_of(context.resource):
            least, count = (whole_number(group.at(name)) for name in ("MinInstanceCount", "InstanceCount"))
            if least is not None and count is not None and least > count:
                yield Violation(
                    f"{group.path}.MinInstanceCount",
                    f"is {least}, and InstanceCount {count}",
                    f"write a MinInstanceCount of {count} or less, or an InstanceCount of {least}",
                )
