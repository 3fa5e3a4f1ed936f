from __future__ import annotations

from ipaddress import IPv4Network

from neuron_cluster.providers.eks.config.cluster import Eks
from neuron_cluster.rules.base import Rule, RuleContext, Violation, Violations
from neuron_cluster.rules.own_range import own_range

EKS_DEFAULTS = (IPv4Network("172.20.0.0/16"), IPv4Network("10.100.0.0/16"))
"""The defaults of EKS; a VPC of at most a /16 cannot overlap both."""


class VpcOverlapsServices(Rule):
    """The VPC CIDR and the Kubernetes service CIDR do not overlap (`eks.service_cidr`).

    A packet to an address in both ranges stays on the node, is translated to a pod address, and never reaches the VPC.

    Without this check EKS rejects the cluster with InvalidParameterException, because the service CIDR conflicts with
    the CIDR of the VPC, after network and storage have been created. Neither can be changed later.
    """

    id = "E1004"
    source = "boto/botocore 1.44.5: eks KubernetesNetworkConfigRequest serviceIpv4Cidr"
    proposes = ("eks", "service_cidr")

    def check(self, context: RuleContext) -> Violations:
        config = context.environment.config
        vpc = own_range(config)
        eks = config.section(Eks)
        if (
            eks is None or vpc is None or vpc.prefixlen < context.catalog.limits["vpc_cidr_prefix"].require_minimum()
        ):  # rule E1003
            return
        services = IPv4Network(eks.service_cidr)
        if vpc.overlaps(services):
            free = next(cidr for cidr in EKS_DEFAULTS if not cidr.overlaps(vpc))
            yield Violation(
                ("network", "cidr"),
                f"cidr is {vpc}, which overlaps eks.service_cidr ({services})",
                f"change one of the two, for example to eks.service_cidr: {free}",
            )
