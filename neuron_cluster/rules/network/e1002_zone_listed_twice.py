from __future__ import annotations

from neuron_cluster.rules.base import Rule, RuleContext, Violation, Violations


class ZoneListedTwice(Rule):
    """Each Availability Zone of the network is listed once (`network.availability_zones`).

    The position of a zone determines its subnet CIDRs, and each zone has one private and one public subnet.

    Without this check AWS reports no error, and two subnets in one zone count as two zones. If there is no other zone,
    EKS rejects the cluster with InvalidParameterException, "Subnets specified must be in at least two different AZs".
    """

    id = "E1002"
    source = "https://docs.aws.amazon.com/eks/latest/userguide/network-reqs.html"

    def check(self, context: RuleContext) -> Violations:
        zones = context.environment.config.network.availability_zones or []
        for position, zone_id in enumerate(zones):
            first = zones.index(zone_id)
            if first < position:
                yield Violation(
                    ("network", "availability_zones", position),
                    f"{zone_id} is listed twice, at positions {first + 1} and {position + 1}",
                    "remove the second entry, or replace it by another zone",
                )
