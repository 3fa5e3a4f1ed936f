from __future__ import annotations

from neuron_cluster.config.network import Nat
from neuron_cluster.findings.text import listed
from neuron_cluster.providers.pcs.config.cluster import Slurm
from neuron_cluster.providers.pcs.groups import SlurmGroup
from neuron_cluster.rules.base import Rule, RuleContext, Violation, Violations


class MissingSlurmEndpoints(Rule):
    """Without NAT, the VPC endpoints include every service that nodes of PCS call (`network.endpoints`).

    Without this check instances start but never register with the cluster, and PCS ends them after half an hour.
    """

    id = "E2118"
    source = "https://docs.aws.amazon.com/pcs/latest/userguide/"
    proposes = ("endpoints",)

    def check(self, context: RuleContext) -> Violations:
        config = context.environment.config
        given = config.network.listed_endpoints
        if config.section(Slurm) is None or config.network.nat is not Nat.NONE or given is None:
            return
        users = SlurmGroup.endpoint_user
        required = {row.name for row in context.catalog.endpoint_services if users in row.required_by}
        if missing := sorted(required - set(given)):
            yield Violation(
                ("network", "endpoints"),
                f"nat is none, and endpoints does not include {listed(missing)}, which nodes of PCS call",
                f"add {listed(missing)}; or set endpoints: needed",
            )
