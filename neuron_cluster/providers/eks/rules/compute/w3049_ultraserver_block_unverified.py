from __future__ import annotations

from neuron_cluster.config.capacity import UltraserverBlock
from neuron_cluster.providers.eks.node_groups import node_groups
from neuron_cluster.rules.base import Rule, RuleContext, Violation, Violations


class UltraserverBlockUnverified(Rule):
    """A managed node group in an UltraServer block is not documented by AWS (`capacity.kind`).

    EC2 launches instances in an UltraServer block as in any capacity block. That a managed node group can do so is an
    inference, and so is that one reservation holds the whole block: a purchase returns a list of reservations. Only a
    warning.

    Without this check EKS may report the node group as CREATE_FAILED on the first day of a block that you paid for.
    """

    id = "W3049"
    source = (
        "https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/cb-group.html; "
        "https://docs.aws.amazon.com/AWSEC2/latest/APIReference/API_PurchaseCapacityBlock.html; "
        "https://docs.aws.amazon.com/eks/latest/userguide/capacity-blocks-mng.html"
    )
    proposes = ("capacity",)

    def check(self, context: RuleContext) -> Violations:
        for node_group in node_groups(context.environment):
            row = node_group.instance_type
            modes = row.purchase_modes if row is not None else None
            is_sold_so = modes is None or "ultraserver_block" in modes  # else rule E3012
            if isinstance(node_group.capacity, UltraserverBlock) and is_sold_so:
                yield Violation(
                    (*node_group.path, "capacity", "kind"),
                    f"{node_group.name} runs in an UltraServer block, but AWS does not document managed node groups "
                    "in such blocks, nor the number of reservations of a block with several UltraServers",
                    "ask AWS before the purchase; then verify that `aws ec2 describe-capacity-blocks` lists "
                    f"{node_group.reservation_id} as the only reservation of the block",
                )
