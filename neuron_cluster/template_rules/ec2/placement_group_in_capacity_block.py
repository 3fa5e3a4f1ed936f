from __future__ import annotations

from neuron_cluster.template_rules.base import TemplateContext, TemplateRule, Violation, Violations
from neuron_cluster.template_rules.property_tree import at, is_given


class PlacementGroupInCapacityBlock(TemplateRule):
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

    def check(self, context: TemplateContext) -> Violations:
        data = context.resource.properties.get("LaunchTemplateData")
        if at(data, "InstanceMarketOptions", "MarketType") != "capacity-block":
            return
        for name in ("GroupName", "GroupId"):
            if is_given(at(data, "Placement", name)):
                yield Violation(
                    f"LaunchTemplateData.Placement.{name}",
                    "sets a placement group, but MarketType is capacity-block",
                    f"remove {name}: EC2 places the instances of a capacity block close together by itself",
                )
