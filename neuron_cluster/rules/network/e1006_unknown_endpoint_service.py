"""Names of VPC endpoints."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from neuron_cluster.findings.suggestions import did_you_mean, suggestions
from neuron_cluster.findings.text import listed, quoted
from neuron_cluster.rules.base import ConfigRule, Violation

if TYPE_CHECKING:
    from neuron_cluster.catalog.catalog import Catalog
    from neuron_cluster.resolved.environment import ResolvedEnvironment


class UnknownEndpointService(ConfigRule):
    """Every VPC endpoint is a service that the catalog knows.

    The catalog says whether a service has a gateway or an interface endpoint, which decides how it is built.

    Without this check EC2 rejects the endpoint with InvalidServiceName, "The Vpc Endpoint Service
    'com.amazonaws.us-west-2.ecr-api' does not exist", and the network stack rolls back.
    """

    id = "E1006"
    source = "https://docs.aws.amazon.com/vpc/latest/privatelink/aws-services-privatelink-support.html"

    def check(self, environment: ResolvedEnvironment, catalog: Catalog) -> Iterator[Violation]:
        config = environment.config
        known = [service.name for service in catalog.endpoint_services]
        for position, name in enumerate(config.network.endpoints or ()):
            if name not in known:
                yield Violation(
                    ("network", "endpoints", position),
                    f"{quoted(name)} is not an endpoint service that the catalog knows; it knows {listed(known)}",
                    f"{_beginning(name, known)}write the part after com.amazonaws.<region>. only",
                )


def _beginning(name: str, known: list[str]) -> str:
    """What was meant, if that can be told: the service of a whole endpoint name, else what is spelt like it."""
    short = name.removeprefix("com.amazonaws.").partition(".")[2]
    return did_you_mean([short] if short in known else suggestions(name, known))
