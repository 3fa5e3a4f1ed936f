"""Placement groups for instances of a capacity block."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from neuron_cluster.template_rules.base import ResourceRule, Violation
from neuron_cluster.template_rules.look_up import LookUp
from neuron_cluster.template_rules.property_tree import at, is_given
from neuron_cluster.template_rules.template_resource import TemplateResource

if TYPE_CHECKING:
    from neuron_cluster.catalog.catalog import Catalog


class PlacementGroupInCapacityBlock(ResourceRule):
    """Launch templates for a capacity block set no placement group (`Placement`).

    EC2 places the instances of a capacity block close together by itself; the block has no capacity in another
    placement group.
    """

    id = "E8112"
    operation = "ec2:RunInstances"
    error_code = None
    source = (
        "https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/ec2-capacity-blocks.html (EC2 places the "
        "instances of a block close together)"
    )
    references = ("aws/aws-parallelcluster#6311", "terraform-aws-modules/terraform-aws-eks#3730")
    types = ("AWS::EC2::LaunchTemplate",)

    def check(self, resource: TemplateResource, look_up: LookUp, catalog: Catalog) -> Iterator[Violation]:
        del look_up, catalog
        data = resource.properties.get("LaunchTemplateData")
        if at(data, "InstanceMarketOptions", "MarketType") != "capacity-block":
            return
        for name in ("GroupName", "GroupId"):
            if is_given(at(data, "Placement", name)):
                yield Violation(
                    f"LaunchTemplateData.Placement.{name}",
                    "sets a placement group, but MarketType is capacity-block",
                    f"remove {name}: EC2 places the instances of a capacity block close together by itself",
                )
