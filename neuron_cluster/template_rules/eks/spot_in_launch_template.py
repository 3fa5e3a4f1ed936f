from __future__ import annotations

from neuron_cluster.template_rules.base import TemplateContext, TemplateRule, Violation, Violations
from neuron_cluster.template_rules.eks.node_group import launch_template_of
from neuron_cluster.template_rules.property_tree import at


class SpotInLaunchTemplate(TemplateRule):
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

    def check(self, context: TemplateContext) -> Violations:
        template = launch_template_of(context.resource, context.look_up)
        if template is None:
            return
        if at(template.properties, "LaunchTemplateData", "InstanceMarketOptions", "MarketType") == "spot":
            yield Violation(
                "LaunchTemplate",
                "sets MarketType spot, and the node group's CapacityType is "
                f"{context.resource.properties.get('CapacityType') or 'not set'}",
                "remove InstanceMarketOptions from the launch template, and set CapacityType: SPOT",
            )
