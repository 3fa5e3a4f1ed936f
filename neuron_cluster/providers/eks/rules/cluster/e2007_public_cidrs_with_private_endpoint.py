from __future__ import annotations

from neuron_cluster.providers.eks.config.cluster import Eks, EndpointAccess
from neuron_cluster.rules.base import Rule, RuleContext, Violation, Violations


class PublicCidrsWithPrivateEndpoint(Rule):
    """A CIDR list is set only with a public endpoint (`eks.endpoint.public_access_cidrs`).

    Without this check AWS reports no error, and the addresses of the list cannot reach the API.
    """

    id = "E2007"
    source = "https://docs.aws.amazon.com/eks/latest/userguide/cluster-endpoint.html"
    proposes = ("access", "public_access_cidrs")

    def check(self, context: RuleContext) -> Violations:
        eks = context.environment.config.section(Eks)
        endpoint = eks.endpoint if eks is not None else None
        if endpoint is not None and endpoint.access is EndpointAccess.PRIVATE and endpoint.public_access_cidrs:
            yield Violation(
                ("eks", "endpoint", "public_access_cidrs"),
                "access is private, so public_access_cidrs would have no effect",
                "remove public_access_cidrs, or set access: public_and_private",
            )
