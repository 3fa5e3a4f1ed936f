"""Private addresses at the public endpoint."""

from __future__ import annotations

from collections.abc import Iterator
from ipaddress import IPv4Network
from typing import TYPE_CHECKING

from neuron_cluster.rules.base import ConfigRule, Problem
from neuron_cluster.rules.cluster.e2009_service_cidr_refused_by_eks import PRIVATE

if TYPE_CHECKING:
    from neuron_cluster.catalog.catalog import Catalog
    from neuron_cluster.config.environment import EnvironmentConfig


class PrivateRangeAtPublicEndpoint(ConfigRule):
    """public_access_cidrs holds addresses of the internet, none of a private network.

    Nobody comes to a public endpoint from a private address: NAT and proxies have public ones.

    Without it: EKS refuses the cluster with InvalidParameterException, because the list holds reserved addresses.
    """

    id = "E2010"
    source = "https://docs.aws.amazon.com/eks/latest/userguide/cluster-endpoint.html"

    def check(self, config: EnvironmentConfig, catalog: Catalog) -> Iterator[Problem]:
        del catalog
        for position, cidr in enumerate(config.eks.endpoint.public_access_cidrs if config.eks is not None else ()):
            private = next((network for network in PRIVATE if IPv4Network(cidr).subnet_of(network)), None)
            if private is not None:
                yield Problem(
                    ("eks", "endpoint", "public_access_cidrs", position),
                    f"{cidr} is private ({private}); nobody reaches a public endpoint from there",
                    "write the public address of your NAT or proxy; from connected networks use the private endpoint",
                )
