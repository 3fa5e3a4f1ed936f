from __future__ import annotations

from neuron_cluster.config.network import Nat
from neuron_cluster.findings.text import listed
from neuron_cluster.providers.eks.config.cluster import Eks
from neuron_cluster.rules.base import Rule, RuleContext, Violation, Violations


class MissingNodeEndpoints(Rule):
    """Without NAT, the VPC endpoints include every service of nodes and the kubectl function (`network.endpoints`).

    Not in a VPC that exists, whose routes and endpoints are in the lock (E1046).

    Without this check nodes start but never join the cluster. EKS reports NodeCreationFailure, "Instances failed to
    join the kubernetes cluster", after half an hour, without the service that was not reachable.
    """

    id = "E1007"
    source = "https://docs.aws.amazon.com/eks/latest/userguide/private-clusters.html"
    proposes = ("eks", "endpoints")

    def check(self, context: RuleContext) -> Violations:
        config = context.environment.config
        given = config.network.listed_endpoints
        eks = config.section(Eks)
        is_own = config.network.existing is None
        if eks is None or not is_own or config.network.nat is not Nat.NONE or given is None:
            return
        required = {row.name for row in context.catalog.endpoint_services if "nodes" in row.required_by}
        if missing := sorted(required - set(given)):
            yield Violation(
                ("network", "endpoints"),
                f"nat is none, and endpoints does not include {listed(missing)}, which nodes, add-ons or the kubectl "
                "function call",
                f"add {listed(missing)}; or set endpoints: needed",
            )
