from __future__ import annotations

from neuron_cluster.config.network import Endpoints
from neuron_cluster.rules.base import Rule, RuleContext, Violation, Violations


class EndpointChoiceInExistingNetwork(Rule):
    """In a VPC that exists, `network.endpoints` is a list of service names.

    Which services the VPC reaches already is a matter of its owner, and changes without a change of the file.

    Without this check the endpoints of a deploy would depend on what others created before, and a second endpoint with
    private DNS for a service is rejected by EC2: the network stack rolls back.
    """

    id = "E1047"
    source = "https://docs.aws.amazon.com/vpc/latest/privatelink/create-interface-endpoint.html"

    def check(self, context: RuleContext) -> Violations:
        network = context.environment.config.network
        gateways = sorted(row.name for row in context.catalog.endpoint_services if row.kind == "gateway")
        if network.existing is not None and isinstance(network.endpoints, Endpoints):
            yield Violation(
                ("network", "endpoints"),
                f"endpoints is {network.endpoints}, and the VPC exists; there it must be a list",
                "remove endpoints, or list services with interface endpoints that the VPC has no endpoint of; gateway "
                f"endpoints ({', '.join(gateways)}) are its owner's",
            )
