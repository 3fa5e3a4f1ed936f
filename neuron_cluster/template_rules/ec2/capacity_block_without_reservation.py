"""Capacity Block instances without a capacity reservation id."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from neuron_cluster.template_rules.base import ResourceRule, Violation
from neuron_cluster.template_rules.look_up import LookUp
from neuron_cluster.template_rules.property_tree import at
from neuron_cluster.template_rules.template_resource import TemplateResource

if TYPE_CHECKING:
    from neuron_cluster.catalog.catalog import Catalog


class CapacityBlockWithoutReservation(ResourceRule):
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

    def check(self, resource: TemplateResource, look_up: LookUp, catalog: Catalog) -> Iterator[Violation]:
        del look_up, catalog
        data = resource.properties.get("LaunchTemplateData")
        target = at(data, "CapacityReservationSpecification", "CapacityReservationTarget")
        named = at(target, "CapacityReservationId") or at(target, "CapacityReservationResourceGroupArn")
        if at(data, "InstanceMarketOptions", "MarketType") == "capacity-block" and named is None:
            yield Violation(
                "LaunchTemplateData.CapacityReservationSpecification",
                "MarketType is capacity-block, but CapacityReservationTarget is not set",
                "set CapacityReservationTarget.CapacityReservationId to the block's reservation",
            )
