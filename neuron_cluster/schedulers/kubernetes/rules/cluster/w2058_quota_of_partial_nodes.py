from __future__ import annotations

from neuron_cluster.findings.text import listed
from neuron_cluster.rules.base import Rule, RuleContext, Violation, Violations
from neuron_cluster.schedulers.kubernetes.components import enabled_components
from neuron_cluster.schedulers.kubernetes.listed_quotas import group_quotas


class QuotaOfPartialNodes(Rule):
    """With the DRA driver a quota of an UltraServer group is of whole nodes (`teams[].quota`).

    Pods claim nodes of UltraServers whole, and Kueue counts each node as one device.

    Without this check AWS reports no error. Kueue rounds the quota down to whole nodes.
    """

    id = "W2058"
    source = "https://awsdocs-neuron.readthedocs-hosted.com/en/latest/deploy/eks/ultraserver.html"
    proposes = ("devices",)

    def check(self, context: RuleContext) -> Violations:
        if "neuron_dra_driver" not in enabled_components(context.environment, context.catalog):
            return
        for group in group_quotas(context.environment):
            row, node = group.group.instance_type, group.devices_of_node
            if row is None or row.ultraserver is None:
                continue
            for each in group.quotas:
                if rest := each.spec.devices % node:
                    below = each.spec.devices - rest
                    choice = [one for one in (below, below + node) if one]
                    yield Violation(
                        (*each.path, "devices"),
                        f"pods claim whole nodes of {group.group.name} with the DRA driver, and {each.spec.devices} is "
                        f"not a multiple of the {node} devices of a node",
                        f"write devices: {listed(choice, 'or')}",
                    )
