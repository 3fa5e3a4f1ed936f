from __future__ import annotations

from neuron_cluster.template_rules.base import TemplateContext, TemplateRule, Violation, Violations


class ChartWithoutVersion(TemplateRule):
    """A Helm release of a chart from a registry sets the chart's version (`Version`).

    Without a version CDK's kubectl function fails for an OCI registry (TypeError in subprocess), and installs the
    newest version from a chart repository.
    """

    id = "E8231"
    operation = "helm upgrade"
    error_code = None
    source = "aws-cdk-lib 2.275.0: custom-resource-handlers/aws-eks-v2/kubectl-handler/helm"
    types = ("Custom::AWSCDK-EKS-HelmChart",)

    def check(self, context: TemplateContext) -> Violations:
        is_folder = context.resource.properties.get("ChartAssetURL") is not None
        if not is_folder and context.resource.properties.get("Version") in (None, ""):
            yield Violation(
                "Version", "is not set; a chart of a registry requires it", "set Version to one version of the chart"
            )
