from __future__ import annotations

from neuron_cluster.rules.base import Rule, RuleContext, Violation, Violations


class GatewayEndpointInExistingNetwork(Rule):
    """No gateway endpoint is created in a VPC that exists (`network.endpoints`).

    A gateway endpoint adds a route to the route tables of the VPC, which belong to its owner. An interface endpoint
    adds network interfaces to subnets, and changes no route.

    Without this check a deploy changes routes of other systems in the VPC, and `destroy` removes them.
    """

    id = "E1043"
    source = "https://docs.aws.amazon.com/vpc/latest/privatelink/gateway-endpoints.html"

    def check(self, context: RuleContext) -> Violations:
        config = context.environment.config
        if config.network.existing is None:
            return
        gateways = {row.name for row in context.catalog.endpoint_services if row.kind == "gateway"}
        for position, name in enumerate(config.network.listed_endpoints or ()):
            if name in gateways:
                yield Violation(
                    ("network", "endpoints", position),
                    f"{name} is a gateway endpoint, which adds routes to {config.network.existing.vpc_id}",
                    f"remove {name}; the owner of the VPC creates it: `aws ec2 create-vpc-endpoint --vpc-id "
                    f"{config.network.existing.vpc_id} --service-name com.amazonaws.{config.region}.{name} "
                    "--route-table-ids …`",
                )
