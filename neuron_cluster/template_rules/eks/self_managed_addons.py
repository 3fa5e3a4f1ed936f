from __future__ import annotations

from neuron_cluster.template_rules.base import TemplateContext, TemplateRule, Violation, Violations
from neuron_cluster.template_rules.property_tree import is_false, is_unknown


class SelfManagedAddons(TemplateRule):
    """EKS installs no self-managed default add-ons (`BootstrapSelfManagedAddons`).

    All add-ons are managed add-ons with a version. The property is create-only.
    """

    id = "E8211"
    operation = "eks:CreateCluster"
    error_code = None
    source = "boto/botocore 1.44.5: eks CreateClusterRequest bootstrapSelfManagedAddons (default true)"
    types = ("AWS::EKS::Cluster",)

    def check(self, context: TemplateContext) -> Violations:
        wanted = context.resource.properties.get("BootstrapSelfManagedAddons")
        if not is_false(wanted) and not is_unknown(wanted):
            hint = "set BootstrapSelfManagedAddons: false; EKS reads it only when it creates the cluster"
            yield Violation("BootstrapSelfManagedAddons", "is not false; all add-ons must be managed add-ons", hint)
