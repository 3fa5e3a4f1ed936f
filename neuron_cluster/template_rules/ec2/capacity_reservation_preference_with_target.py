from __future__ import annotations

from neuron_cluster.template_rules.base import TemplateContext, TemplateRule, Violation, Violations
from neuron_cluster.template_rules.property_tree import at, text

ONLY_RESERVED = "capacity-reservations-only"
"""The only preference that EC2 accepts together with a target."""
EITHER = "The request can include either a CapacityReservationId or a CapacityReservationPreference but not both."


class CapacityReservationPreferenceWithTarget(TemplateRule):
    """A launch template does not set `CapacityReservationPreference` together with `CapacityReservationTarget`."""

    id = "E8116"
    operation = "ec2:RunInstances"
    error_code = "InvalidParameterCombination"
    source = "https://docs.aws.amazon.com/AWSEC2/latest/APIReference/API_CapacityReservationSpecification.html"
    references = ("gardener/machine-controller-manager-provider-aws#114", "hashicorp/terraform-provider-aws#43881")
    types = ("AWS::EC2::LaunchTemplate",)

    def check(self, context: TemplateContext) -> Violations:
        specification = at(context.resource.properties, "LaunchTemplateData", "CapacityReservationSpecification")
        preference = text(at(specification, "CapacityReservationPreference"))
        if preference in (None, ONLY_RESERVED) or at(specification, "CapacityReservationTarget") is None:
            return
        yield Violation(
            "LaunchTemplateData.CapacityReservationSpecification.CapacityReservationPreference",
            f"is {preference}, but CapacityReservationTarget is set as well",
            "remove CapacityReservationPreference to launch only into the target, or CapacityReservationTarget to keep "
            "the preference",
            EITHER,
        )
