from __future__ import annotations

from ipaddress import IPv4Network

from neuron_cluster.providers.eks.config.node_group import NodeSubnets
from neuron_cluster.providers.eks.node_groups import node_groups
from neuron_cluster.rules.base import Rule, RuleContext, Violation, Violations
from neuron_cluster.rules.free_range import free_range
from neuron_cluster.rules.own_range import own_range


class SecondarySubnetMissing(Rule):
    """A node group with secondary subnets has a secondary CIDR in each of its zones (`subnets: secondary`).

    Without this check the group has no subnet, and synthesis fails.
    """

    id = "E1033"
    source = "the design of this toolkit"
    proposes = ("availability_zone", "cidr", "secondary_cidrs", "subnets")

    def check(self, context: RuleContext) -> Violations:
        config = context.environment.config
        network = config.network
        there = {each.availability_zone for each in network.secondary_cidrs}
        vpc = own_range(config)
        used = [*([vpc] if vpc is not None else ()), *(IPv4Network(each.cidr) for each in network.secondary_cidrs)]
        for group in node_groups(context.environment):
            missing = next((zone for zone in group.zone_ids if zone not in there), None)
            if group.spec.subnets is NodeSubnets.SECONDARY and missing is not None:
                added = f"{{cidr: {free_range(used, context.catalog)}, availability_zone: {missing}}}"
                new = "" if vpc is None else f"add {added} to network.secondary_cidrs, or "
                yield Violation(
                    (*group.path, "subnets"),
                    f"{group.name} uses subnets of secondary CIDRs, but {missing} has none",
                    f"{new}set subnets: primary",
                )
