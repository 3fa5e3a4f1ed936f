"""VPC endpoint service listed twice."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from neuron_cluster.rules.base import ConfigRule, Violation

if TYPE_CHECKING:
    from neuron_cluster.catalog.catalog import Catalog
    from neuron_cluster.resolved.resolved_environment import ResolvedEnvironment


class EndpointListedTwice(ConfigRule):
    """Each VPC endpoint service is listed once (`network.endpoints`).

    Without this check AWS reports no error, because only one endpoint is created. If the second entry was meant for
    another service, its endpoint is missing.
    """

    id = "E1021"
    source = "https://docs.aws.amazon.com/vpc/latest/privatelink/create-interface-endpoint.html"

    def check(self, environment: ResolvedEnvironment, catalog: Catalog) -> Iterator[Violation]:
        del catalog
        config = environment.config
        services = config.network.listed_endpoints or []
        for position, service in enumerate(services):
            first = services.index(service)
            if first < position:
                yield Violation(
                    ("network", "endpoints", position),
                    f"{service} is listed twice, at positions {first + 1} and {position + 1}",
                    "remove the second entry, or replace it by another service",
                )
