from __future__ import annotations

from neuron_cluster.findings.suggestions import did_you_mean, suggestions
from neuron_cluster.findings.text import listed, quoted
from neuron_cluster.rules.base import Rule, RuleContext, Violation, Violations


class UnknownEndpointService(Rule):
    """Every VPC endpoint service is in the catalog (`network.endpoints`).

    The catalog records whether a service has a gateway or an interface endpoint.

    Without this check EC2 rejects the endpoint with InvalidServiceName, "The Vpc Endpoint Service
    'com.amazonaws.us-west-2.ecr-api' does not exist", and the network stack rolls back.
    """

    id = "E1006"
    source = "https://docs.aws.amazon.com/vpc/latest/privatelink/aws-services-privatelink-support.html"

    def check(self, context: RuleContext) -> Violations:
        config = context.environment.config
        known = [service.name for service in context.catalog.endpoint_services]
        for position, name in enumerate(config.network.listed_endpoints or ()):
            if name not in known:
                yield Violation(
                    ("network", "endpoints", position),
                    f"{quoted(name)} is not a VPC endpoint service of the catalog; allowed are {listed(known)}",
                    f"{_beginning(name, known)}write only the part after com.amazonaws.<region>.",
                )


def _beginning(name: str, known: list[str]) -> str:
    """A suggestion: the service of a full endpoint name, else services with a similar name."""
    short = name.removeprefix("com.amazonaws.").partition(".")[2]
    return did_you_mean([short] if short in known else suggestions(name, known))
