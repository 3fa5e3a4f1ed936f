"""Pod Identity associations in a cluster without the EKS Pod Identity Agent."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from neuron_cluster.template_rules.base import ResourceRule, Violation
from neuron_cluster.template_rules.look_up import LookUp
from neuron_cluster.template_rules.property_tree import at, is_true, is_unknown, items
from neuron_cluster.template_rules.template_resource import TemplateResource

if TYPE_CHECKING:
    from neuron_cluster.catalog.catalog import Catalog

ADDON = "AWS::EKS::Addon"
AGENT = "eks-pod-identity-agent"


class PodIdentityWithoutAgent(ResourceRule):
    """A cluster with Pod Identity associations has the add-on ``eks-pod-identity-agent`` (`AWS::EKS::Addon`).

    EKS accepts the association, but the pods get no credentials. Auto Mode includes the agent.
    """

    id = "E8242"
    operation = "eks:CreatePodIdentityAssociation"
    error_code = None
    source = "https://docs.aws.amazon.com/eks/latest/userguide/pod-id-agent-setup.html"
    references = ("aws/karpenter-provider-aws#5784",)
    types = ("AWS::EKS::PodIdentityAssociation", ADDON)

    def check(self, resource: TemplateResource, look_up: LookUp, catalog: Catalog) -> Iterator[Violation]:
        del catalog
        of_addon = resource.type_name == ADDON
        cluster = look_up.referred(resource.properties.get("ClusterName"))
        if cluster is None or (of_addon and not items(resource.properties.get("PodIdentityAssociations"))):
            return
        if not _may_have_agent(cluster, look_up):
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
