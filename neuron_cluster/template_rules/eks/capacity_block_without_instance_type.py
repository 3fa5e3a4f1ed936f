from __future__ import annotations

from neuron_cluster.template_rules.base import TemplateContext, TemplateRule, Violation, Violations
from neuron_cluster.template_rules.eks.node_group import launch_template_of
from neuron_cluster.template_rules.property_tree import at


class CapacityBlockWithoutInstanceType(TemplateRule):
    """The launch template of a capacity block node group sets the instance type (`InstanceType`)."""

    id = "E8210"
    operation = "eks:CreateNodegroup"
    error_code = "InvalidParameterException"
    source = "https://docs.aws.amazon.com/eks/latest/userguide/capacity-blocks-mng.html"
    types = ("AWS::EKS::Nodegroup",)

    def check(self, context: TemplateContext) -> Violations:
        template = launch_template_of(context.resource, context.look_up)
        if template is None or context.resource.properties.get("CapacityType") != "CAPACITY_BLOCK":
            return
        if at(template.properties, "LaunchTemplateData", "InstanceType") is None:
            yield Violation(
                "LaunchTemplate",
                "sets no instance type, but CapacityType is CAPACITY_BLOCK",
                "set LaunchTemplateData.InstanceType to the instance type of the capacity block",
            )
