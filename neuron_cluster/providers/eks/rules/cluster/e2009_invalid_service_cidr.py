"""Kubernetes service CIDR."""

from __future__ import annotations

from collections.abc import Iterator
from ipaddress import IPv4Network
from typing import TYPE_CHECKING

from neuron_cluster.findings.text import listed
from neuron_cluster.providers.eks.config.cluster import Eks
from neuron_cluster.rules.base import ConfigRule, Violation
from neuron_cluster.rules.special_addresses import PRIVATE

if TYPE_CHECKING:
    from neuron_cluster.catalog.catalog import Catalog
    from neuron_cluster.resolved.resolved_environment import ResolvedEnvironment


class InvalidServiceCidr(ConfigRule):
    """The Kubernetes service CIDR is in a private range, between /12 and /24 (`eks.service_cidr`).

    Without this check EKS rejects the cluster with InvalidParameterException about the service IPv4 CIDR, after
    network and storage have been created. The service CIDR cannot be changed later.
    """

    id = "E2009"
    source = "boto/botocore 1.44.5: eks KubernetesNetworkConfigRequest serviceIpv4Cidr"
    proposes = ("service_cidr",)

    def check(self, environment: ResolvedEnvironment, catalog: Catalog) -> Iterator[Violation]:
        eks = environment.config.section(Eks)
        if eks is None:
            return
        limit = catalog.limit("eks_service_cidr_prefix")
        largest, smallest = limit.require_minimum(), limit.require_maximum()
        given = IPv4Network(eks.service_cidr)
        if largest <= given.prefixlen <= smallest and any(given.subnet_of(private) for private in PRIVATE):
            return
        yield Violation(
            ("eks", "service_cidr"),
            f"service_cidr is {given}; EKS requires a /{largest} to /{smallest} in {listed(PRIVATE, 'or')}",
            "remove service_cidr to use 172.20.0.0/16, or write a CIDR that EKS allows",
        )
