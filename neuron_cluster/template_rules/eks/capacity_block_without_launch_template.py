"""Capacity Block node groups without a launch template for capacity blocks."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from neuron_cluster.template_rules.base import ResourceRule, Violation
from neuron_cluster.template_rules.eks.node_group import launch_template_of
from neuron_cluster.template_rules.look_up import LookUp
from neuron_cluster.template_rules.property_tree import at, is_unknown
from neuron_cluster.template_rules.template_resource import TemplateResource

if TYPE_CHECKING:
    from neuron_cluster.catalog.catalog import Catalog


class CapacityBlockWithoutLaunchTemplate(ResourceRule):
    """The launch template's `MarketType` is capacity-block if and only if `CapacityType` is CAPACITY_BLOCK."""

    id = "E8204"
    operation = "eks:CreateNodegroup"
    error_code = "InvalidParameterException"
    source = "https://docs.aws.amazon.com/eks/latest/userguide/capacity-blocks-mng.html"
    references = ("eksctl-io/eksctl#8155", "eksctl-io/eksctl#8207")
    types = ("AWS::EKS::Nodegroup",)

    def check(self, resource: TemplateResource, look_up: LookUp, catalog: Catalog) -> Iterator[Violation]:
        del catalog
        capacity_type = resource.properties.get("CapacityType")
        is_block = capacity_type == "CAPACITY_BLOCK"
        if is_block and resource.properties.get("LaunchTemplate") is None:
            yield Violation(
                "LaunchTemplate",
                "is not set; CapacityType CAPACITY_BLOCK requires a launch template",
                "write LaunchTemplate, with MarketType: capacity-block in it, or CapacityType: ON_DEMAND",
            )
        template = launch_template_of(resource, look_up)
        if template is None or is_unknown(capacity_type):
            return
        market = at(template.properties, "LaunchTemplateData", "InstanceMarketOptions", "MarketType")
        if not is_unknown(market) and is_block != (market == "capacity-block"):
            yield Violation(
                "CapacityType",
                f"is {capacity_type or 'not set'}, but the launch template's MarketType is {market or 'not set'}",
                _hint(is_block=is_block),
            )


def _hint(*, is_block: bool) -> str:
    if is_block:
        return "write MarketType: capacity-block in the launch template, or CapacityType: ON_DEMAND"
    return "write CapacityType: CAPACITY_BLOCK, or remove InstanceMarketOptions from the launch template"
