from __future__ import annotations

from ipaddress import IPv4Network

from neuron_cluster.findings.text import listed
from neuron_cluster.providers.eks.config.cluster import Eks
from neuron_cluster.rules.base import Rule, RuleContext, Violation, Violations
from neuron_cluster.rules.special_addresses import PRIVATE


class InvalidServiceCidr(Rule):
    """The Kubernetes service CIDR is in a private range, between /12 and /24 (`eks.service_cidr`).

    Without this check EKS rejects the cluster with InvalidParameterException about the service IPv4 CIDR, after
    network and storage have been created. The service CIDR cannot be changed later.
    """

    id = "E2009"
    source = "boto/botocore 1.44.5: eks KubernetesNetworkConfigRequest serviceIpv4Cidr"
    proposes = ("service_cidr",)

    def check(self, context: RuleContext) -> Violations:
        eks = context.environment.config.section(Eks)
        if eks is None:
            return
        limit = context.catalog.limits["eks_service_cidr_prefix"]
        largest, smallest = limit.require_minimum(), limit.require_maximum()
        given = IPv4Network(eks.service_cidr)
        if largest <= given.prefixlen <= smallest and any(given.subnet_of(private) for private in PRIVATE):
            return
        yield Violation(
            ("eks", "service_cidr"),
            f"service_cidr is {given}; EKS requires a /{largest} to /{smallest} in {listed(PRIVATE, 'or')}",
            "remove service_cidr to use 172.20.0.0/16, or write a CIDR that EKS allows",
        )
