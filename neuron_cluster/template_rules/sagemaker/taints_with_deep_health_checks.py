from __future__ import annotations

from neuron_cluster.template_rules.base import TemplateContext, TemplateRule, Violation, Violations
from neuron_cluster.template_rules.property_tree import items
from neuron_cluster.template_rules.sagemaker.hyperpod_cluster import CLUSTER, groups_of


class TaintsWithDeepHealthChecks(TemplateRule):
    """An instance group with deep health checks has no taints (`OnStartDeepHealthChecks`, `Taints`)."""

    id = "E8922"
    operation = "sagemaker:CreateCluster"
    error_code = "ValidationException"
    source = "https://docs.aws.amazon.com/sagemaker/latest/dg/sagemaker-hyperpod-eks-custom-labels-and-taints.html"
    types = (CLUSTER,)

    def check(self, context: TemplateContext) -> Violations:
        for group in groups_of(context.resource):
            if items(group.at("OnStartDeepHealthChecks")) and items(group.at("KubernetesConfig", "Taints")):
                yield Violation(
                    f"{group.path}.KubernetesConfig.Taints",
                    "is set, and OnStartDeepHealthChecks too",
                    "remove Taints, or OnStartDeepHealthChecks",
                )
