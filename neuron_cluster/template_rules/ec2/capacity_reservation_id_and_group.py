from __future__ import annotations

from neuron_cluster.template_rules.base import TemplateContext, TemplateRule, Violation, Violations
from neuron_cluster.template_rules.property_tree import at, is_given


class CapacityReservationIdAndGroup(TemplateRule):
    """A launch template targets a capacity reservation or a resource group, not both (`CapacityReservationTarget`)."""

    id = "E8115"
    operation = "ec2:RunInstances"
    error_code = "InvalidParameterCombination"
    source = (
        "https://docs.aws.amazon.com/AWSEC2/latest/APIReference/API_CapacityReservationTarget.html (a reservation or a "
        "group; the error code is inferred)"
    )
    types = ("AWS::EC2::LaunchTemplate",)

    def check(self, context: TemplateContext) -> Violations:
        specification = at(context.resource.properties, "LaunchTemplateData", "CapacityReservationSpecification")
        target = at(specification, "CapacityReservationTarget")
        group = at(target, "CapacityReservationResourceGroupArn")
        if is_given(at(target, "CapacityReservationId")) and is_given(group):
            yield Violation(
                "LaunchTemplateData.CapacityReservationSpecification.CapacityReservationTarget",
                "sets both CapacityReservationId and CapacityReservationResourceGroupArn",
                "remove CapacityReservationId to launch into any reservation of the resource group, or "
                "CapacityReservationResourceGroupArn to launch only into this reservation",
            )
