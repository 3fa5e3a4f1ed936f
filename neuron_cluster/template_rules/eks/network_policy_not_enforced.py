"""VPC CNI add-ons that do not enforce NetworkPolicies."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from neuron_cluster.template_rules.base import ResourceRule, Violation
from neuron_cluster.template_rules.look_up import LookUp
from neuron_cluster.template_rules.property_tree import at, is_unknown, text
from neuron_cluster.template_rules.template_resource import TemplateResource

if TYPE_CHECKING:
    from neuron_cluster.catalog.catalog import Catalog

FLAG = "enableNetworkPolicy"


class NetworkPolicyNotEnforced(ResourceRule):
    """The vpc-cni add-on enforces Kubernetes NetworkPolicies (`enableNetworkPolicy`).

    By default it does not: the API server accepts the policies, and every pod can connect to every pod.
    """

    id = "E8243"
    operation = "eks:CreateAddon"
    error_code = None
    source = "https://docs.aws.amazon.com/eks/latest/userguide/cni-network-policy-configure.html"
    types = ("AWS::EKS::Addon",)

    def check(self, resource: TemplateResource, look_up: LookUp, catalog: Catalog) -> Iterator[Violation]:
        del look_up, catalog
        values = resource.properties.get("ConfigurationValues")
        if text(resource.properties.get("AddonName")) != "vpc-cni" or is_unknown(values):
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
