from __future__ import annotations

from neuron_cluster.template_rules.base import TemplateContext, TemplateRule, Violation, Violations
from neuron_cluster.template_rules.eks.node_group import launch_template_of
from neuron_cluster.template_rules.property_tree import at, is_unknown


class CapacityBlockWithoutLaunchTemplate(TemplateRule):
    """The launch template's `MarketType` is capacity-block if and only if `CapacityType` is CAPACITY_BLOCK."""

    id = "E8204"
    operation = "eks:CreateNodegroup"
    error_code = "InvalidParameterException"
    source = "https://docs.aws.amazon.com/eks/latest/userguide/capacity-blocks-mng.html"
    references = ("eksctl-io/eksctl#8155", "eksctl-io/eksctl#8207")
    types = ("AWS::EKS::Nodegroup",)

    def check(self, context: TemplateContext) -> Violations:
        capacity_type = context.resource.properties.get("CapacityType")
        is_block = capacity_type == "CAPACITY_BLOCK"
        if is_block and context.resource.properties.get("LaunchTemplate") is None:
            yield Violation(
                "LaunchTemplate",
                "is not set; CapacityType CAPACITY_BLOCK requires a launch template",
                "write LaunchTemplate, with MarketType: capacity-block in it, or CapacityType: ON_DEMAND",
            )
        template = launch_template_of(context.resource, context.look_up)
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
