from __future__ import annotations

from neuron_cluster.config.capacity import CapacityBlock
from neuron_cluster.rules.base import Rule, RuleContext, Violation, Violations


class MaxExceedsCapacityBlock(Rule):
    """The maximum size of a node group in a capacity block does not exceed the largest block (`count.max`).

    Only a warning: the largest size differs between instance types and Regions.

    Without this check AWS reports the error late. EC2 rejects the nodes that exceed the block with
    ReservationCapacityExceeded, and the group becomes degraded.
    """

    id = "W3028"
    source = "https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/ec2-capacity-blocks.html"

    def check(self, context: RuleContext) -> Violations:
        maximum = context.catalog.limits["capacity_block_instances"].require_maximum()
        for group in context.environment.cluster_groups:
            wanted = group.scaling.maximum
            if isinstance(group.capacity, CapacityBlock) and wanted is not None and wanted > maximum:
                yield Violation(
                    (*group.path, "count", "max"),
                    f"max is {wanted}, but a capacity block has at most {maximum} instances",
                    f"lower max to {maximum}, and add another node group for another block",
                )
