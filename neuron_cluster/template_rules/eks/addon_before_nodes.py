from __future__ import annotations

from neuron_cluster.template_rules.base import TemplateContext, TemplateRule, Violation, Violations
from neuron_cluster.template_rules.property_tree import text


class AddonBeforeNodes(TemplateRule):
    """EKS add-ons that require nodes are not in the stack of the cluster (`AWS::EKS::Addon`).

    Without nodes, EKS reports the add-on as degraded until CloudFormation times out and rolls back the cluster.
    """

    id = "E8221"
    operation = "eks:CreateAddon"
    error_code = "InsufficientNumberOfReplicas"
    source = (
        "https://docs.aws.amazon.com/eks/latest/APIReference/API_AddonIssue.html; needs_nodes: catalog/data/addons.yaml"
    )
    fails_later = True
    types = ("AWS::EKS::Addon",)

    def check(self, context: TemplateContext) -> Violations:
        addon = context.catalog.managed_addons.get(text(context.resource.properties.get("AddonName")) or "")
        cluster = context.look_up.referred(context.resource.properties.get("ClusterName"))
        if addon is not None and addon.needs_nodes and cluster is not None and cluster.stack == context.resource.stack:
            yield Violation(
                "AddonName",
                f"{addon.name} requires nodes, but is in the stack that creates the cluster",
                "remove this AWS::EKS::Addon, and add it to a stack that is deployed after the node groups",
            )
