from __future__ import annotations

from neuron_cluster.config.network import Nat
from neuron_cluster.providers.eks.endpoint_users import endpoint_users
from neuron_cluster.providers.eks.rules.network.e1019_missing_logs_endpoint import LOGS
from neuron_cluster.rules.base import Rule, RuleContext, Violation, Violations


class MissingComponentEndpoints(Rule):
    """Without NAT, the VPC endpoints include those that enabled components call (`network.endpoints`).

    Logs are checked by E1019. A file without the key has none of load balancers, SNS and metrics.

    Without this check requests of the component time out: no load balancer is created, no alert is sent, no node is
    replaced.
    """

    id = "W1049"
    source = "https://docs.aws.amazon.com/eks/latest/userguide/private-clusters.html"
    proposes = ("endpoints",)

    def check(self, context: RuleContext) -> Violations:
        network = context.environment.config.network
        if network.existing is not None or network.nat is not Nat.NONE or isinstance(network.endpoints, str):
            return
        users = {*endpoint_users(context.environment, context.catalog)} - {"nodes"}
        given = network.listed_endpoints
        for row in context.catalog.endpoint_services:
            calling = sorted(users & {*row.used_by})
            is_there = row.name in given if given is not None else not row.is_chosen
            if calling and not is_there and row.name != LOGS:
                yield Violation(
                    ("network",) if given is None else ("network", "endpoints"),
                    f"nat is none, and no VPC endpoint reaches {row.name}, which {' and '.join(calling)} calls: "
                    f"{row.reason}",
                    "set endpoints: needed" + (f", or add {row.name}" if given is not None else ""),
                )
