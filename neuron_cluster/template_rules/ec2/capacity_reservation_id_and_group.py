"""Launch templates that target both a capacity reservation and a resource group."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from neuron_cluster.template_rules.base import ResourceRule, Violation
from neuron_cluster.template_rules.look_up import LookUp
from neuron_cluster.template_rules.property_tree import at, is_given
from neuron_cluster.template_rules.template_resource import TemplateResource

if TYPE_CHECKING:
    from neuron_cluster.catalog.catalog import Catalog


class CapacityReservationIdAndGroup(ResourceRule):
    """A launch template targets a capacity reservation or a resource group, not both (`CapacityReservationTarget`)."""

    id = "E8115"
    operation = "ec2:RunInstances"
    error_code = "InvalidParameterCombination"
    source = (
        "https://docs.aws.amazon.com/AWSEC2/latest/APIReference/API_CapacityReservationTarget.html (a reservation or a "
        "group; the error code is inferred)"
    )
    types = ("AWS::EC2::LaunchTemplate",)

    def check(self, resource: TemplateResource, look_up: LookUp, catalog: Catalog) -> Iterator[Violation]:
        del look_up, catalog
        specification = at(resource.properties, "LaunchTemplateData", "CapacityReservationSpecification")
        target = at(specification, "CapacityReservationTarget")
        group = at(target, "CapacityReservationResourceGroupArn")
        if is_given(at(target, "CapacityReservationId")) and is_given(group):
            yield Violation(
                "LaunchTemplateData.CapacityReservationSpecification.CapacityReservationTarget",
                "sets both CapacityReservationId and CapacityReservationResourceGroupArn",
                "remove CapacityReservationId to launch into any reservation of the resource group, or "
                "CapacityReservationResourceGroupArn to launch only into this reservation",
            )
