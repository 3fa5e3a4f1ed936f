from __future__ import annotations

from neuron_cluster.template_rules.base import TemplateContext, TemplateRule, Violation, Violations
from neuron_cluster.template_rules.property_tree import at


class CapacityBlockWithoutReservation(TemplateRule):
    """A capacity block launch template sets the block's reservation id (`CapacityReservationTarget`)."""

    id = "E8111"
    operation = "ec2:RunInstances"
    error_code = "InvalidParameterCombination"
    source = "https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/capacity-blocks-launch.html"
    references = (
        "eksctl-io/eksctl#7906",
        "eksctl-io/eksctl#8320",
        "eksctl-io/eksctl#8542",
        "terraform-aws-modules/terraform-aws-eks#1897",
        "terraform-aws-modules/terraform-aws-eks#1979",
    )
    types = ("AWS::EC2::LaunchTemplate",)

    def check(self, context: TemplateContext) -> Violations:
        data = context.resource.properties.get("LaunchTemplateData")
        target = at(data, "CapacityReservationSpecification", "CapacityReservationTarget")
        named = at(target, "CapacityReservationId") or at(target, "CapacityReservationResourceGroupArn")
        if at(data, "InstanceMarketOptions", "MarketType") == "capacity-block" and named is None:
            yield Violation(
                "LaunchTemplateData.CapacityReservationSpecification",
                "MarketType is capacity-block, but CapacityReservationTarget is not set",
                "set CapacityReservationTarget.CapacityReservationId to the block's reservation",
            )
