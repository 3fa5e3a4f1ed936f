from __future__ import annotations

from neuron_cluster.config.existing_network import SubnetKind
from neuron_cluster.findings.text import listed
from neuron_cluster.plan.network_plan import NO_ROUTE
from neuron_cluster.rules.base import LOCK_IT, Needs, Rule, RuleContext, Violation, Violations


class ExistingNetworkWithoutServices(Rule):
    """From existing private subnets without a default route, endpoints reach every required service.

    Endpoints are those of the VPC, and those in `network.endpoints`. Nodes, the kubectl function and workstations call
    the services. Gateway endpoints are the owner's (E1043).

    Without this check nodes start but never join the cluster, and Session Manager does not list a workstation.
    """

    id = "E1046"
    needs = Needs.LOCK
    source = "https://docs.aws.amazon.com/eks/latest/userguide/private-clusters.html"
    proposes = ("endpoints",)

    def check(self, context: RuleContext) -> Violations:
        lock = context.lock
        network = context.environment.config.network
        if network.existing is None or lock is None or lock.network is None:
            return
        private = [each.id for each in network.existing.subnets if each.kind is SubnetKind.PRIVATE]
        locked = lock.network.subnets
        closed = [each for each in private if each in locked and locked[each].route == NO_ROUTE]
        if not closed:
            return
        groups = context.environment.cluster_groups
        users = {"workstations"} if context.environment.workstations else set()
        there = {*lock.network.endpoints, *(network.listed_endpoints or ())}
        missing = sorted(
            (
                row
                for row in context.catalog.endpoint_services
                if (users & {*row.required_by} or any(group.needs_endpoint(row) for group in groups))
                and row.name not in there
            ),
            key=lambda row: row.name,
        )
        if not missing:
            return
        own = [row.name for row in missing if row.kind != "gateway"]
        of_owner = [row.name for row in missing if row.kind == "gateway"]
        edits = [f"set network.endpoints: [{', '.join([*(network.listed_endpoints or ()), *own])}]"] if own else []
        if of_owner:
            edits.append(f"ask the owner of the VPC for the gateway endpoint {listed(of_owner)}, then run `{LOCK_IT}`")
        endpoints = "; ".join(edits)
        route = f"ask the owner of the VPC for a default route of {listed(closed)}, then run `{LOCK_IT}`"
        yield Violation(
            ("network", "existing", "subnets"),
            f"{listed(closed)} {'has' if len(closed) == 1 else 'have'} no default route, and no endpoint reaches "
            f"{listed(row.name for row in missing)}",
            f"{endpoints}; or {route}",
        )
