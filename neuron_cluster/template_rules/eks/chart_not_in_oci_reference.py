from __future__ import annotations

from neuron_cluster.catalog.chart import OCI
from neuron_cluster.template_rules.base import TemplateContext, TemplateRule, Violation, Violations
from neuron_cluster.template_rules.property_tree import text


class ChartNotInOciReference(TemplateRule):
    """An OCI repository address of a Helm release ends in the chart's name (`Repository`).

    CDK's kubectl function ignores the chart's name for OCI and reads a folder with the last part of the address.
    """

    id = "E8235"
    operation = "helm upgrade"
    error_code = None
    source = "aws-cdk-lib 2.275.0: custom-resource-handlers/aws-eks-v2/kubectl-handler/helm"
    types = ("Custom::AWSCDK-EKS-HelmChart",)

    def check(self, context: TemplateContext) -> Violations:
        repository = text(context.resource.properties.get("Repository")) or ""
        chart = text(context.resource.properties.get("Chart"))
        if repository.startswith(OCI) and chart is not None and repository.rstrip("/").rsplit("/", 1)[-1] != chart:
            *_, last = whole = repository.rstrip("/").split("/")
            hint = f"set Repository: {'/'.join((*whole, chart))}, or Chart: {last}"
            yield Violation("Repository", f"{repository} does not end in /{chart}", hint)
