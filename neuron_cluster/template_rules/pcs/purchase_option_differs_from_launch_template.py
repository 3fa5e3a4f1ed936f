"""Purchase options of PCS that differ from the launch template."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from neuron_cluster.template_rules.base import ResourceRule, Violation
from neuron_cluster.template_rules.look_up import LookUp
from neuron_cluster.template_rules.pcs.compute_node_group import launch_template_of
from neuron_cluster.template_rules.property_tree import at, is_unknown
from neuron_cluster.template_rules.template_resource import TemplateResource

if TYPE_CHECKING:
    from neuron_cluster.catalog.catalog import Catalog


class PurchaseOptionDiffersFromLaunchTemplate(ResourceRule):
    """The launch template's `MarketType` is capacity-block if and only if `PurchaseOption` is CAPACITY_BLOCK."""

    id = "E8956"
    operation = "pcs:CreateComputeNodeGroup"
    error_code = "ValidationException"
    source = "https://docs.aws.amazon.com/pcs/latest/userguide/capacity-blocks-configure-cng.html"
    types = ("AWS::PCS::ComputeNodeGroup",)

    def check(self, resource: TemplateResource, look_up: LookUp, catalog: Catalog) -> Iterator[Violation]:
        del catalog
        option, template = at(resource.properties, "PurchaseOption"), launch_template_of(resource, look_up)
        if template is None or is_unknown(option):
            return
        market = at(template.properties, "LaunchTemplateData", "InstanceMarketOptions", "MarketType")
        is_block = option == "CAPACITY_BLOCK"
        if not is_unknown(market) and is_block != (market == "capacity-block"):
            yield Violation(
                "PurchaseOption",
                f"is {option or 'not set'}, but the launch template's MarketType is {market or 'not set'}",
                "write MarketType: capacity-block in the launch template, or PurchaseOption: ONDEMAND"
                if is_block
                else "write PurchaseOption: CAPACITY_BLOCK, or remove InstanceMarketOptions from the launch template",
            )
