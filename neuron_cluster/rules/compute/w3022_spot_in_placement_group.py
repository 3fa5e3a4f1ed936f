from __future__ import annotations

from neuron_cluster.config.capacity import Spot
from neuron_cluster.rules.base import Rule, RuleContext, Violation, Violations


class SpotInPlacementGroup(Rule):
    """A Spot node group is not in a cluster placement group (`placement`).

    A group with EFA is in one unless it sets ``placement: none``; EFA works without it, with slightly higher latency.
    Only a warning: where Spot capacity is plentiful, both work.

    Without this check EC2 returns InsufficientInstanceCapacity although the zone has Spot capacity, because that
    capacity is not near the first instances of the group; interrupted instances are replaced late or never.
    """

    id = "W3022"
    source = "https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/placement-strategies.html#placement-groups-cluster"
    proposes = ("placement",)
    references = ("aws/aws-parallelcluster#1502",)

    def check(self, context: RuleContext) -> Violations:
        for group in context.environment.cluster_groups:
            if isinstance(group.capacity, Spot) and group.in_placement_group:
                by_default = "" if group.spec.placement is not None else ", as groups with EFA are by default"
                yield Violation(
                    (*group.path, "placement"),
                    f"{group.name} uses spot instances in a cluster placement group{by_default}",
                    "set placement: none to use spot capacity anywhere in the zone",
                )
