from __future__ import annotations

from neuron_cluster.config.machine import Placement
from neuron_cluster.rules.base import Rule, RuleContext, Violation, Violations


class PlacementGroupWithReservation(Rule):
    """Node groups in reservations or capacity blocks have no cluster placement group (`placement`).

    The instances of a reservation that was created without a placement group can be anywhere in the zone; those of a
    capacity block are already close to each other.

    Without this check some of the reserved instances cannot start: EC2 returns InsufficientInstanceCapacity although
    the reservation has free capacity, because that capacity is outside the placement group.
    """

    id = "E3006"
    source = (
        "https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/ec2-capacity-blocks.html; "
        "https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/cr-cpg.html"
    )
    proposes = ("placement",)
    references = (
        "eksctl-io/eksctl#7949",
        "terraform-aws-modules/terraform-aws-eks#3730",
        "aws/aws-parallelcluster#6311",
    )

    def check(self, context: RuleContext) -> Violations:
        for group in context.environment.cluster_groups:
            if group.is_reserved and group.spec.placement is Placement.CLUSTER:
                yield Violation(
                    (*group.path, "placement"),
                    f"placement is cluster, but {group.name} runs in {group.capacity_display_name}, "
                    "whose placement EC2 has already determined",
                    "remove placement, or set placement: none",
                )
