from __future__ import annotations

from neuron_cluster.template_rules.base import TemplateContext, TemplateRule, Violation, Violations
from neuron_cluster.template_rules.pcs.compute_node_group import launch_template_of
from neuron_cluster.template_rules.property_tree import at, is_unknown


class PurchaseOptionDiffersFromLaunchTemplate(TemplateRule):
    """The launch template's `MarketType` is capacity-block if and only if `PurchaseOption` is CAPACITY_BLOCK."""

    id = "E8956"
    operation = "pcs:CreateComputeNodeGroup"
    error_code = "ValidationException"
    source = "https://docs.aws.amazon.com/pcs/latest/userguide/capacity-blocks-configure-cng.html"
    types = ("AWS::PCS::ComputeNodeGroup",)

    def check(self, context: TemplateContext) -> Violations:
        resource = context.resource
        option, template = at(resource.properties, "PurchaseOption"), launch_template_of(resource, context.look_up)
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
