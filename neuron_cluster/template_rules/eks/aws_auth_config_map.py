from __future__ import annotations

from neuron_cluster.template_rules.base import TemplateContext, TemplateRule, Violation, Violations
from neuron_cluster.template_rules.property_tree import at, is_unknown


class AwsAuthConfigMap(TemplateRule):
    """Cluster access is granted by access entries only, not by the aws-auth ConfigMap (`AuthenticationMode`).

    EKS allows changing the mode from CONFIG_MAP to API, not from API to CONFIG_MAP.
    """

    id = "E8213"
    operation = "eks:CreateCluster"
    error_code = None
    source = "boto/botocore 1.44.5: eks AuthenticationMode"
    types = ("AWS::EKS::Cluster",)

    def check(self, context: TemplateContext) -> Violations:
        mode = at(context.resource.properties, "AccessConfig", "AuthenticationMode")
        if mode != "API" and not is_unknown(mode):
            message = f"is {mode or 'not set'}; it must be API"
            yield Violation("AccessConfig.AuthenticationMode", message, "set AuthenticationMode: API")
