"""Addresses of the VPC against those of Kubernetes services."""

from __future__ import annotations

from collections.abc import Iterator
from ipaddress import IPv4Network
from typing import TYPE_CHECKING

from neuron_cluster.orchestrators.eks.config.cluster import Eks
from neuron_cluster.rules.base import ConfigRule, Violation

if TYPE_CHECKING:
    from neuron_cluster.catalog.catalog import Catalog
    from neuron_cluster.resolved.environment import ResolvedEnvironment

EKS_DEFAULTS = (IPv4Network("172.20.0.0/16"), IPv4Network("10.100.0.0/16"))
"""What EKS takes when it is not told; a VPC of at most a /16 cannot overlap both."""


class VpcOverlapsServices(ConfigRule):
    """The VPC and the cluster's services share no address.

    A packet to a shared address would stay on the node, translated to some pod, and never reach the VPC.

    Without this check EKS rejects the cluster with InvalidParameterException, because the service CIDR conflicts with
    the CIDR of the VPC, after network and storage have been built. Neither can be changed later.
    """

    id = "E1004"
    source = "boto/botocore 1.44.5: eks KubernetesNetworkConfigRequest serviceIpv4Cidr"
    proposes = ("eks", "service_cidr")

    def check(self, environment: ResolvedEnvironment, catalog: Catalog) -> Iterator[Violation]:
        config = environment.config
        vpc = IPv4Network(config.network.cidr)
        eks = config.section(Eks)
        if eks is None or vpc.prefixlen < catalog.limit("vpc_cidr_prefix").require_minimum():  # rule E1003
            return
        services = IPv4Network(eks.service_cidr)
        if vpc.overlaps(services):
            free = next(cidr for cidr in EKS_DEFAULTS if not cidr.overlaps(vpc))
            yield Violation(
                ("network", "cidr"),
                f"cidr is {vpc}, which overlaps eks.service_cidr ({services})",
                f"move one of the two; eks.service_cidr: {free} would do",
            )
