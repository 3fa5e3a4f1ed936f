from __future__ import annotations

from neuron_cluster.findings.text import listed
from neuron_cluster.rules.base import Rule, RuleContext, Violation, Violations


class SecondaryCidrZone(Rule):
    """Each secondary CIDR is in a zone of the network, with at most one per zone (`network.secondary_cidrs`).

    Its subnet uses the route table of the zone's private subnet. There is one per zone, because EFA is documented
    within a subnet and within a zone, and a /16 holds more nodes than the network address usage of a VPC allows by
    default.

    Without this check AWS receives no request. The subnet has no route table, or the nodes of a group are spread over
    two subnets.
    """

    id = "E1032"
    source = "the design of this toolkit; https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/efa.html"

    def check(self, context: RuleContext) -> Violations:
        config = context.environment.config
        zones, seen = config.network.zone_ids, set[str]()
        for position, each in enumerate(config.network.secondary_cidrs):
            path = ("network", "secondary_cidrs", position, "availability_zone")
            if each.availability_zone not in zones:
                yield Violation(
                    path,
                    f"availability_zone is {each.availability_zone}, which is not in network.availability_zones "
                    f"({listed(zones)})",
                    f"write {listed(zones, 'or')}, or add {each.availability_zone} at the end of availability_zones",
                )
            elif each.availability_zone in seen:
                yield Violation(
                    path,
                    f"{each.availability_zone} already has a secondary CIDR",
                    "keep one secondary CIDR per zone, up to a /16",
                )
            seen.add(each.availability_zone)
