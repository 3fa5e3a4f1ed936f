from __future__ import annotations

from ipaddress import IPv4Network

from neuron_cluster.providers.eks.config.cluster import Eks
from neuron_cluster.providers.eks.rules.network.e1004_vpc_overlaps_services import EKS_DEFAULTS
from neuron_cluster.rules.base import Needs, Rule, RuleContext, Violation, Violations


class ExistingVpcOverlapsServices(Rule):
    """No range of an existing VPC overlaps the Kubernetes service CIDR (`eks.service_cidr`).

    A packet to an address in both ranges stays on the node, is translated to a pod address, and never reaches the VPC.

    Without this check EKS rejects the cluster with InvalidParameterException, because the service CIDR conflicts with
    the CIDR of the VPC, after network and storage have been created.
    """

    id = "E1044"
    needs = Needs.LOCK
    source = "boto/botocore 1.44.5: eks KubernetesNetworkConfigRequest serviceIpv4Cidr"
    proposes = ("eks", "service_cidr")

    def check(self, context: RuleContext) -> Violations:
        lock = context.lock
        eks = context.environment.config.section(Eks)
        existing = context.environment.config.network.existing
        if eks is None or existing is None or lock is None or lock.network is None:
            return
        services, ranges = IPv4Network(eks.service_cidr), [IPv4Network(each) for each in lock.network.cidrs]
        overlapping = next((each for each in ranges if each.overlaps(services)), None)
        if overlapping is None:
            return
        free = next((cidr for cidr in EKS_DEFAULTS if not any(map(cidr.overlaps, ranges))), None)
        yield Violation(
            ("eks", "service_cidr"),
            f"service_cidr is {services}, which overlaps {overlapping} of {existing.vpc_id}",
            f"set eks.service_cidr: {free}" if free is not None else "set a private range that the VPC does not use",
        )
