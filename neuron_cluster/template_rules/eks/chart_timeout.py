from __future__ import annotations

from neuron_cluster.template_rules.base import TemplateContext, TemplateRule, Violation, Violations
from neuron_cluster.template_rules.property_tree import text

MAX_SECONDS = 14 * 60


class ChartTimeout(TemplateRule):
    """The timeout of a Helm release is shorter than that of CDK's kubectl function (`Timeout`).

    Lambda stops the function after 15 minutes. The interrupted release stays pending, and every later deploy fails with
    "another operation is in progress".
    """

    id = "E8232"
    operation = "helm upgrade"
    error_code = None
    source = "aws-cdk-lib 2.275.0: custom-resource-handlers/aws-eks-v2/kubectl-handler/helm (function timeout 900 s)"
    references = ("aws/aws-cdk#8215", "aws/aws-cdk#8713", "aws/aws-cdk#22257")
    types = ("Custom::AWSCDK-EKS-HelmChart",)

    def check(self, context: TemplateContext) -> Violations:
        given = context.resource.properties.get("Timeout")
        seconds = _seconds(text(given))
        if given is None or (seconds is not None and seconds > MAX_SECONDS):
            yield Violation(
                "Timeout",
                f"is {given or 'not set'}; it must not exceed {MAX_SECONDS} s, the kubectl function times out later",
                f"set Timeout to {MAX_SECONDS}s or less",
            )


def _seconds(timeout: str | None) -> int | None:
    """``600s`` as a number; None for another form or an unknown value."""
    if timeout is None or not timeout.endswith("s") or not timeout[:-1].isdecimal():
        return None
    return int(timeout[:-1])
