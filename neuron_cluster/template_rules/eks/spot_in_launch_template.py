"""Spot capacity requested in the launch template of a node group."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from neuron_cluster.template_rules.base import ResourceRule, Violation
from neuron_cluster.template_rules.eks.node_group import launch_template_of
from neuron_cluster.template_rules.look_up import LookUp
from neuron_cluster.template_rules.property_tree import at
from neuron_cluster.template_rules.template_resource import TemplateResource

if TYPE_CHECKING:
    from neuron_cluster.catalog.catalog import Catalog


class SpotInLaunchTemplate(ResourceRule):
    """Spot capacity is set in the node group (`CapacityType`), not in its launch template.

    Otherwise the purchase option is set twice, and the two values may differ.
    """

    id = "E8209"
    operation = "eks:CreateNodegroup"
    error_code = "InvalidParameterException"
    source = (
        "https://docs.aws.amazon.com/eks/latest/userguide/launch-templates.html (purchasing option: request spot "
        "instances)"
    )
    types = ("AWS::EKS::Nodegroup",)

    def check(self, resource: TemplateResource, look_up: LookUp, catalog: Catalog) -> Iterator[Violation]:
        del catalog
        template = launch_template_of(resource, look_up)
        if template is None:
            return
        if at(template.properties, "LaunchTemplateData", "InstanceMarketOptions", "MarketType") == "spot":
            yield Violation(
                "LaunchTemplate",
                "sets MarketType spot, and the node group's CapacityType is "
                f"{resource.properties.get('CapacityType') or 'not set'}",
                "remove InstanceMarketOptions from the launch template, and set CapacityType: SPOT",
            )
