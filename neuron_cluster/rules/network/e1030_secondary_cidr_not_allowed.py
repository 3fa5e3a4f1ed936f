from __future__ import annotations

from ipaddress import IPv4Network

from neuron_cluster.rules.base import Rule, RuleContext, Violation, Violations
from neuron_cluster.rules.free_range import free_range
from neuron_cluster.rules.own_range import own_range
from neuron_cluster.rules.special_addresses import non_assignable_range


class SecondaryCidrNotAllowed(Rule):
    """EC2 allows the size and range of each secondary CIDR (`network.secondary_cidrs`).

    A CIDR is between /16 and /28. EC2 does not associate a CIDR of another private range than the VPC's, nor one of
    198.19.0.0/16; a CIDR of 100.64.0.0/10 is allowed in every VPC.

    Without this check EC2 rejects the association with InvalidVpc.Range or InvalidSubnet.Range during the deploy.
    """

    id = "E1030"
    source = "https://docs.aws.amazon.com/vpc/latest/userguide/vpc-cidr-blocks.html; catalog: vpc_cidr_restrictions"

    def check(self, context: RuleContext) -> Violations:
        catalog = context.catalog
        config = context.environment.config
        vpc = own_range(config)
        if vpc is None:  # rule E1040
            return
        limit = catalog.limits["vpc_cidr_prefix"]
        largest, smallest = limit.require_minimum(), limit.require_maximum()
        ranges = [vpc, *(IPv4Network(each.cidr) for each in config.network.secondary_cidrs)]
        example = free_range(ranges, catalog)
        for position, added in enumerate(ranges[1:]):
            if not largest <= added.prefixlen <= smallest:
                reason = f"a VPC CIDR is between /{largest} and /{smallest}"
            elif found := non_assignable_range(added):
                reason = f"it is {found[1]} ({found[0]}): these addresses cannot be assigned to instances"
            else:
                pairs = (
                    (catalog.vpc_cidr_restrictions.restricted_range(added, other), other)
                    for other in ranges
                    if other != added
                )
                restricted = next((pair for pair in pairs if pair[0] is not None), None)
                if restricted is None:
                    continue
                reason = f"EC2 does not associate a CIDR of {restricted[0]} with a VPC that has {restricted[1]}"
            yield Violation(
                ("network", "secondary_cidrs", position, "cidr"),
                f"cidr is {added}; {reason}",
                f"write a CIDR of 100.64.0.0/10, such as {example}",
            )
