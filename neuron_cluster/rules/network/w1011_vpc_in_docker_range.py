from __future__ import annotations

from ipaddress import IPv4Network

from neuron_cluster.rules.base import Rule, RuleContext, Violation, Violations
from neuron_cluster.rules.own_range import own_range

DOCKER = IPv4Network("172.17.0.0/16")


class VpcInDockerRange(Rule):
    """The VPC CIDR does not overlap 172.17.0.0/16, Docker's default bridge (`network.cidr`).

    Without this check AWS reports no error. Cloud9, SageMaker and every instance with Docker in this or a connected
    network route packets for these addresses to their own bridge, so that they cannot reach some of your nodes.
    """

    id = "W1011"
    source = "https://docs.aws.amazon.com/vpc/latest/userguide/vpc-cidr-blocks.html"

    def check(self, context: RuleContext) -> Violations:
        vpc = own_range(context.environment.config)
        if vpc is None:
            return
        is_possible = vpc.prefixlen >= context.catalog.limits["vpc_cidr_prefix"].require_minimum()  # rule E1003
        if is_possible and vpc.overlaps(DOCKER):
            yield Violation(
                ("network", "cidr"),
                f"cidr is {vpc}, which overlaps {DOCKER}, the default bridge network of Docker and some AWS services",
                "use another range before the first deploy; the CIDR of a VPC cannot be changed later",
            )
