"""A network plugin that ignores network policies."""

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

SWITCH = "enableNetworkPolicy"


class NetworkPolicyWithoutEffect(ResourceRule):
    """The add-on vpc-cni enforces Kubernetes NetworkPolicies.

    Its default is not to: policies are then accepted, and every pod reaches every pod.
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
        if at(given, SWITCH) not in ("true", True):
            whole = json.dumps({**(given if isinstance(given, dict) else {}), SWITCH: "true"})
            yield Violation("ConfigurationValues", f"does not turn {SWITCH} on", f"set ConfigurationValues: {whole}")


def _read(values: str) -> Any:
    """JSON, as this toolkit writes it; EKS takes YAML too, which is not read here."""
    try:
        return json.loads(values)
    except ValueError:
        return None
