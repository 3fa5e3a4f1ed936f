from __future__ import annotations

from neuron_cluster.findings.text import listed
from neuron_cluster.rules.base import Rule, RuleContext, Violation, Violations
from neuron_cluster.rules.own_range import own_range
from neuron_cluster.rules.special_addresses import non_assignable_range

EXAMPLES = ("10.20.0.0/16", "172.31.0.0/16", "192.168.0.0/20")


class VpcCidrNotAssignable(Rule):
    """The VPC CIDR is not in a loopback, link-local, multicast or reserved range (`network.cidr`).

    Without this check EC2 rejects the VPC at the first deploy, or creates one whose nodes cannot reach each other. The
    VPC guide lists the recommended ranges, not those that EC2 rejects.
    """

    id = "E1020"
    source = (
        "https://docs.aws.amazon.com/vpc/latest/userguide/vpc-cidr-blocks.html; "
        "https://www.iana.org/assignments/iana-ipv4-special-registry"
    )

    def check(self, context: RuleContext) -> Violations:
        given = own_range(context.environment.config)
        if given is not None and (found := non_assignable_range(given)):
            range_, word = found
            yield Violation(
                ("network", "cidr"),
                f"cidr is {given}, which is {word} ({range_}): these addresses cannot be assigned to instances",
                f"write a private range, such as {listed(EXAMPLES, 'or')}",
            )
