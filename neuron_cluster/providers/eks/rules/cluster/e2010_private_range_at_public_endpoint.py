from __future__ import annotations

from ipaddress import IPv4Network

from neuron_cluster.providers.eks.config.cluster import Eks
from neuron_cluster.rules.base import Rule, RuleContext, Violation, Violations
from neuron_cluster.rules.special_addresses import PRIVATE, SHARED, non_assignable_range


class PrivateRangeAtPublicEndpoint(Rule):
    """The public endpoint allows only public address ranges (`eks.endpoint.public_access_cidrs`).

    Requests from private addresses reach a public endpoint with the public address of a NAT or proxy. Loopback,
    link-local, multicast and reserved addresses are not routed.

    Without this check EKS rejects the cluster with InvalidParameterException, because the list contains reserved
    addresses.
    """

    id = "E2010"
    source = "https://docs.aws.amazon.com/eks/latest/userguide/cluster-endpoint.html"
    proposes = ("endpoint",)

    def check(self, context: RuleContext) -> Violations:
        eks = context.environment.config.section(Eks)
        for position, cidr in enumerate(eks.endpoint.public_access_cidrs if eks is not None else ()):
            if kind := _kind_of(IPv4Network(cidr)):
                yield Violation(
                    ("eks", "endpoint", "public_access_cidrs", position),
                    f"{cidr} is {kind}; requests to a public endpoint never have such a source address",
                    "write the public address of your NAT or proxy; from connected networks use the private endpoint",
                )


def _kind_of(network: IPv4Network) -> str | None:
    """The kind of a non-public range; None for a public one."""
    if private := next((each for each in (*PRIVATE, SHARED) if network.subnet_of(each)), None):
        return f"private ({private})"
    if found := non_assignable_range(network):
        return f"{found[1]} ({found[0]})"
    return None
