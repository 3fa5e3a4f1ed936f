from __future__ import annotations

from neuron_cluster.rules.base import Rule, RuleContext, Violation, Violations


class EndpointListedTwice(Rule):
    """Each VPC endpoint service is listed once (`network.endpoints`).

    Without this check AWS reports no error, because only one endpoint is created. If the second entry was meant for
    another service, its endpoint is missing.
    """

    id = "E1021"
    source = "https://docs.aws.amazon.com/vpc/latest/privatelink/create-interface-endpoint.html"

    def check(self, context: RuleContext) -> Violations:
        config = context.environment.config
        services = config.network.listed_endpoints or []
        for position, service in enumerate(services):
            first = services.index(service)
            if first < position:
                yield Violation(
                    ("network", "endpoints", position),
                    f"{service} is listed twice, at positions {first + 1} and {position + 1}",
                    "remove the second entry, or replace it by another service",
                )
