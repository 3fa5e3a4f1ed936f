from __future__ import annotations

from ipaddress import IPv4Network

from neuron_cluster.config.source_map import KeyPath, format_path
from neuron_cluster.providers.eks.config.cluster import Eks
from neuron_cluster.rules.base import Rule, RuleContext, Violation, Violations
from neuron_cluster.rules.free_range import free_range
from neuron_cluster.rules.own_range import own_range


class SecondaryCidrOverlaps(Rule):
    """A secondary CIDR does not overlap another CIDR of the VPC or the service CIDR (`network.secondary_cidrs`).

    Without this check EC2 rejects the association with InvalidVpc.Range; a packet to an address of the service CIDR
    never leaves its node.
    """

    id = "E1031"
    source = "https://docs.aws.amazon.com/vpc/latest/userguide/vpc-cidr-blocks.html"

    def check(self, context: RuleContext) -> Violations:
        config = context.environment.config
        vpc = own_range(config)
        if vpc is None:  # rule E1040
            return
        taken: dict[KeyPath, IPv4Network] = {("network", "cidr"): vpc}
        eks = config.section(Eks)
        if eks is not None:
            taken["eks", "service_cidr"] = IPv4Network(eks.service_cidr)
        for position, each in enumerate(config.network.secondary_cidrs):
            added = IPv4Network(each.cidr)
            other = next((key for key, used in taken.items() if used.overlaps(added)), None)
            if other is not None:
                everything = [*taken.values(), *(IPv4Network(each.cidr) for each in config.network.secondary_cidrs)]
                yield Violation(
                    ("network", "secondary_cidrs", position, "cidr"),
                    f"cidr is {added}, which overlaps {format_path(other)} ({taken[other]})",
                    f"write a free CIDR, such as {free_range(everything, context.catalog)}",
                    related=(other,),
                )
            taken["network", "secondary_cidrs", position] = added
