from __future__ import annotations

from neuron_cluster.config.network import Nat
from neuron_cluster.findings.text import listed
from neuron_cluster.rules.base import Rule, RuleContext, Violation, Violations


class MissingWorkstationEndpoints(Rule):
    """Without NAT, the VPC endpoints include every service that a workstation calls (`network.endpoints`).

    A workstation is reachable only through Session Manager, and it attaches its home through the EC2 API.

    Without this check AWS reports no error. The instance starts but does not register with Session Manager, and
    `start-session` returns TargetNotConnected.
    """

    id = "E7011"
    source = "https://docs.aws.amazon.com/systems-manager/latest/userguide/setup-create-vpc.html"
    proposes = ("endpoints",)

    def check(self, context: RuleContext) -> Violations:
        config = context.environment.config
        given = config.network.listed_endpoints
        if not config.workstations or config.network.nat is not Nat.NONE or given is None:
            return
        required = {row.name for row in context.catalog.endpoint_services if "workstations" in row.required_by}
        if missing := sorted(required - set(given)):
            yield Violation(
                ("network", "endpoints"),
                f"nat is none, and endpoints does not include {listed(missing)}, which workstations call",
                f"add {listed(missing)}; or set endpoints: needed",
            )
