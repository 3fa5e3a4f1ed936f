from __future__ import annotations

import json
from typing import Any

from neuron_cluster.template_rules.base import TemplateContext, TemplateRule, Violation, Violations
from neuron_cluster.template_rules.property_tree import at, is_unknown, text

FLAG = "enableNetworkPolicy"


class NetworkPolicyNotEnforced(TemplateRule):
    """The vpc-cni add-on enforces Kubernetes NetworkPolicies (`enableNetworkPolicy`).

    By default it does not: the API server accepts the policies, and every pod can connect to every pod.
    """

    id = "E8243"
    operation = "eks:CreateAddon"
    error_code = None
    source = "https://docs.aws.amazon.com/eks/latest/userguide/cni-network-policy-configure.html"
    types = ("AWS::EKS::Addon",)

    def check(self, context: TemplateContext) -> Violations:
        values = context.resource.properties.get("ConfigurationValues")
        if text(context.resource.properties.get("AddonName")) != "vpc-cni" or is_unknown(values):
            return
        given = _read(text(values) or "")
        if at(given, FLAG) not in ("true", True):
            whole = json.dumps({**(given if isinstance(given, dict) else {}), FLAG: "true"})
            yield Violation("ConfigurationValues", f"does not set {FLAG}: true", f"set ConfigurationValues: {whole}")


def _read(values: str) -> Any:
    """JSON, as this toolkit writes it; EKS accepts YAML as well, which is not read here."""
    try:
        return json.loads(values)
    except ValueError:
        return None
