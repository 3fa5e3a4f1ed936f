"""A Kubernetes API that the whole internet can reach."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from neuron_cluster.config.eks import EndpointAccess
from neuron_cluster.rules.base import ConfigRule, Problem

if TYPE_CHECKING:
    from neuron_cluster.catalog.catalog import Catalog
    from neuron_cluster.config.environment import EnvironmentConfig

HINT = "write the addresses that your people and machines come from, such as 203.0.113.0/24; or set access: private"


class EndpointOpenToEveryone(ConfigRule):
    """A public endpoint says which addresses may use it, and does not say all of them.

    Without it: AWS answers nothing. An absent list means 0.0.0.0/0 to EKS, and scanners find the API within hours.
    """

    id = "E2005"
    source = "https://docs.aws.amazon.com/eks/latest/userguide/cluster-endpoint.html"

    def check(self, config: EnvironmentConfig, catalog: Catalog) -> Iterator[Problem]:
        del catalog
        if config.eks is None or config.eks.endpoint.access is not EndpointAccess.PUBLIC_AND_PRIVATE:
            return
        path = ("eks", "endpoint", "public_access_cidrs")
        cidrs = config.eks.endpoint.public_access_cidrs
        if not cidrs:
            yield Problem(
                path,
                "access is public_and_private without public_access_cidrs, which EKS takes for everybody",
                HINT,
            )
        for position, cidr in enumerate(cidrs):
            if cidr.endswith("/0"):
                yield Problem((*path, position), f"{cidr} is the whole internet", HINT)
