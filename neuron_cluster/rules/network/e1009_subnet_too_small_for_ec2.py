from __future__ import annotations

from neuron_cluster.config.network import Nat
from neuron_cluster.rules.base import Rule, RuleContext, Violation, Violations
from neuron_cluster.rules.own_range import own_range

EIGHTH = 3
"""Prefix bits: a private subnet uses one eighth of the VPC, public subnets share the last. A test compares them."""


class SubnetTooSmallForEc2(Rule):
    """The VPC CIDR is large enough that every subnet is a /28 or larger (`network.cidr`).

    A private subnet uses one eighth of the VPC. The public subnets, which exist only with NAT, use one eighth each of
    the last eighth, or a /28 each in a small VPC. So with NAT a /25 holds one zone, a /24 two zones and a /23 four.

    Without this check EC2 rejects the subnet with InvalidSubnet.Range, "The CIDR '10.0.0.224/29' is invalid".
    """

    id = "E1009"
    source = "https://docs.aws.amazon.com/vpc/latest/userguide/subnet-sizing.html"

    def check(self, context: RuleContext) -> Violations:
        config = context.environment.config
        vpc, smallest = own_range(config), context.catalog.limits["subnet_cidr_prefix"].require_maximum()
        if vpc is None or vpc.prefixlen > context.catalog.limits["vpc_cidr_prefix"].require_maximum():  # rule E1003
            return
        eighth, zones = vpc.prefixlen + EIGHTH, len(config.network.zone_ids)
        public = 0 if config.network.nat is Nat.NONE else zones
        largest = smallest - EIGHTH - (public - 1).bit_length() if public > 1 else smallest - EIGHTH
        if vpc.prefixlen <= largest:
            return
        enough = vpc.supernet(new_prefix=largest)
        if eighth > smallest:
            why = f"whose private subnets, one eighth each, would be /{eighth}; EC2 allows /{smallest} or larger"
        else:
            number = 2 ** (smallest - eighth)
            why = (
                f"whose last eighth, a /{eighth}, holds {number} public subnet{'' if number == 1 else 's'} of "
                f"/{smallest}, the smallest that EC2 allows; with NAT {zones} zones require one each"
            )
        fewer = ", or use fewer availability_zones" if public > 1 and eighth <= smallest else ""
        yield Violation(("network", "cidr"), f"cidr is {vpc}, {why}", f"write {enough} or larger{fewer}")
