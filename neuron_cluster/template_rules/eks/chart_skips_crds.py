from __future__ import annotations

from neuron_cluster.template_rules.base import TemplateContext, TemplateRule, Violation, Violations
from neuron_cluster.template_rules.property_tree import is_true


class ChartSkipsCrds(TemplateRule):
    """Helm releases do not set `SkipCrds`: CDK's kubectl function does not pass it to helm."""

    id = "E8236"
    operation = "helm upgrade"
    error_code = None
    source = "aws-cdk-lib 2.275.0: custom-resource-handlers/aws-eks-v2/kubectl-handler/helm (skip_crds is never used)"
    types = ("Custom::AWSCDK-EKS-HelmChart",)

    def check(self, context: TemplateContext) -> Violations:
        if is_true(context.resource.properties.get("SkipCrds")):
            hint = "remove SkipCrds; where the chart has a value that leaves its CRDs out, set that in Values"
            yield Violation("SkipCrds", "is true, but CDK's kubectl function does not pass it to helm", hint)
