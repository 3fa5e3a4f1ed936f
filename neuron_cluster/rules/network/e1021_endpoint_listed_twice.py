"""The same endpoint twice in one network."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from neuron_cluster.rules.base import ConfigRule, Violation

if TYPE_CHECKING:
    from neuron_cluster.catalog.catalog import Catalog
    from neuron_cluster.resolved.environment import ResolvedEnvironment


class EndpointListedTwice(ConfigRule):
    """Each endpoint of the network is listed once.

    Without this check AWS reports no error, because one endpoint is made; the second line may have been meant for
    another service, whose endpoint is then missing.
    """

    id = "E1021"
    source = "https://docs.aws.amazon.com/vpc/latest/privatelink/create-interface-endpoint.html"

    def check(self, environment: ResolvedEnvironment, catalog: Catalog) -> Iterator[Violation]:
        del catalog
        config = environment.config
        services = config.network.endpoints or []
        for position, service in enumerate(services):
            first = services.index(service)
            if first < position:
                yield Violation(
                    ("network", "endpoints", position),
                    f"{service} stands in the list twice, at positions {first + 1} and {position + 1}",
                    "keep the first one, and name another service if one is missing",
                )
