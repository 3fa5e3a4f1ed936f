from __future__ import annotations

from neuron_cluster.template_rules.base import TemplateContext, TemplateRule, Violation, Violations
from neuron_cluster.template_rules.look_up import LookUp
from neuron_cluster.template_rules.property_tree import at, is_true, is_unknown, items
from neuron_cluster.template_rules.template_resource import TemplateResource

ADDON = "AWS::EKS::Addon"
AGENT = "eks-pod-identity-agent"


class PodIdentityWithoutAgent(TemplateRule):
    """A cluster with Pod Identity associations has the add-on ``eks-pod-identity-agent`` (`AWS::EKS::Addon`).

    EKS accepts the association, but the pods get no credentials. Auto Mode includes the agent.
    """

    id = "E8242"
    operation = "eks:CreatePodIdentityAssociation"
    error_code = None
    source = "https://docs.aws.amazon.com/eks/latest/userguide/pod-id-agent-setup.html"
    references = ("aws/karpenter-provider-aws#5784",)
    types = ("AWS::EKS::PodIdentityAssociation", ADDON)

    def check(self, context: TemplateContext) -> Violations:
        of_addon = context.resource.type_name == ADDON
        cluster = context.look_up.referred(context.resource.properties.get("ClusterName"))
        if cluster is None or (of_addon and not items(context.resource.properties.get("PodIdentityAssociations"))):
            return
        if not _may_have_agent(cluster, context.look_up):
            yield Violation(
                "PodIdentityAssociations" if of_addon else "ClusterName",
                f"the cluster has no add-on {AGENT}, so that the pods would get no credentials",
                f"add an {ADDON} with AddonName: {AGENT} and the ClusterName of this cluster",
            )


def _may_have_agent(cluster: TemplateResource, look_up: LookUp) -> bool:
    """True also where it is unknown before the deploy."""
    auto_mode = at(cluster.properties, "ComputeConfig", "Enabled")
    if is_true(auto_mode) or is_unknown(auto_mode):
        return True
    for addon in look_up.resources(ADDON):
        name = addon.properties.get("AddonName")
        where = look_up.referred(addon.properties.get("ClusterName"))
        if (name == AGENT or is_unknown(name)) and (where is None or where is cluster):
            return True
    return False
