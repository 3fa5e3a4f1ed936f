"""EKS add-ons that require nodes, created before the node groups."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from neuron_cluster.template_rules.base import ResourceRule, Violation
from neuron_cluster.template_rules.look_up import LookUp
from neuron_cluster.template_rules.property_tree import text
from neuron_cluster.template_rules.template_resource import TemplateResource

if TYPE_CHECKING:
    from neuron_cluster.catalog.catalog import Catalog


class AddonBeforeNodes(ResourceRule):
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

    def check(self, resource: TemplateResource, look_up: LookUp, catalog: Catalog) -> Iterator[Violation]:
        addon = catalog.managed_addon(text(resource.properties.get("AddonName")) or "")
        cluster = look_up.referred(resource.properties.get("ClusterName"))
        if addon is not None and addon.needs_nodes and cluster is not None and cluster.stack == resource.stack:
            yield Violation(
                "AddonName",
                f"{addon.name} requires nodes, but is in the stack that creates the cluster",
                "remove this AWS::EKS::Addon, and add it to a stack that is deployed after the node groups",
            )
