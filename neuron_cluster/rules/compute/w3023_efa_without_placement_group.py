from __future__ import annotations

from neuron_cluster.config.capacity import OnDemand
from neuron_cluster.config.machine import Placement
from neuron_cluster.rules.base import Rule, RuleContext, Violation, Violations


class EfaWithoutPlacementGroup(Rule):
    """On-Demand instances with EFA are in a cluster placement group (`placement`).

    Only a warning: EFA does not require the placement group, and without it EC2 finds capacity more easily. Spot
    instances (rule W3022), reservations and capacity blocks (rule E3006) should not have one.

    Without this check AWS reports no error. EC2 places the instances anywhere in the zone, with more network hops
    between them, and collectives wait for the slowest pair.
    """

    id = "W3023"
    source = "https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/efa-start.html"
    proposes = ("placement",)
    references = ("aws/aws-parallelcluster#1502",)

    def check(self, context: RuleContext) -> Violations:
        for group in context.environment.cluster_groups:
            is_apart = group.has_efa and group.spec.placement is Placement.NONE
            if is_apart and group.scaling.may_have_several and isinstance(group.capacity, OnDemand):
                yield Violation(
                    (*group.path, "placement"),
                    f"placement is none, so EC2 places {group.scaling.bound} instances of {group.name} with EFA "
                    "anywhere in their zone",
                    "remove placement to use a cluster placement group, unless EC2 has no capacity for one",
                )
