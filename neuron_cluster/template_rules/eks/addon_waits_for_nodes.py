"""Add-ons that need nodes before there are any."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from neuron_cluster.template_rules.base import ResourceRule, Violation
from neuron_cluster.template_rules.look_up import LookUp
from neuron_cluster.template_rules.property_tree import text
from neuron_cluster.template_rules.template_resource import TemplateResource

if TYPE_CHECKING:
    from neuron_cluster.catalog.catalog import Catalog


class AddonWaitsForNodes(ResourceRule):
    """An add-on that needs nodes is not in its cluster's own stack: nodes come after it.

    EKS reports such an add-on as degraded until it times out, and CloudFormation then rolls the cluster back.
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
                f"{addon.name} stays degraded without nodes, and is in the stack that makes the cluster",
                "remove this AWS::EKS::Addon, and add it to a stack that is deployed after the node groups",
            )
