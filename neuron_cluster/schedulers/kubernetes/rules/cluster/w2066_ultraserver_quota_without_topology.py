from __future__ import annotations

from neuron_cluster.rules.base import Rule, RuleContext, Violation, Violations
from neuron_cluster.schedulers.kubernetes.components import enabled_components
from neuron_cluster.schedulers.kubernetes.listed_quotas import group_quotas


class UltraserverQuotaWithoutTopology(Rule):
    """Teams that share UltraServers have a node group with `network_topology` (`teams[].quota`).

    Only with the device plugin: Kueue does not find the devices of the DRA driver on the nodes.

    Without this check AWS reports no error. Kueue counts devices and not nodes of one UltraServer: a job that needs a
    whole one is admitted while jobs of other teams are on some of its nodes.
    """

    id = "W2066"
    source = "https://kueue.sigs.k8s.io/docs/concepts/topology_aware_scheduling/; catalog: network_topologies"
    proposes = ("network_topology",)

    def check(self, context: RuleContext) -> Violations:
        if "neuron_dra_driver" in enabled_components(context.environment, context.catalog):
            return
        for each in group_quotas(context.environment):
            group, row = each.group, each.group.instance_type
            is_shared = group.queue is not None and len(each.by_team) > 1
            if not is_shared or row is None or row.ultraserver is None or group.network_topology:
                continue
            if context.catalog.network_topologies.of_instance_type(row.name) is not None:
                yield Violation(
                    group.path,
                    f"{len(each.by_team)} teams share the UltraServers of {group.name}, and Kueue does not know the "
                    "place of its nodes",
                    f"set network_topology: true for {group.name}",
                )
