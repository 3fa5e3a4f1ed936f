from __future__ import annotations

from neuron_cluster.findings.text import listed
from neuron_cluster.providers.eks.config.cluster import Eks
from neuron_cluster.providers.eks.node_groups import node_groups
from neuron_cluster.rules.base import Rule, RuleContext, Violation, Violations


class NodeRepairWithoutAgent(Rule):
    """Node repair requires the node monitoring agent (`eks.addons.node_monitoring_agent`).

    The agent reports broken devices to EKS. Neuron groups have node repair by default.

    Without this check AWS reports no error. EKS repairs nodes that are NotReady, but leaves nodes with a broken Neuron
    device (AcceleratedHardwareReady) in service, where every job fails.
    """

    id = "W5004"
    source = "https://docs.aws.amazon.com/eks/latest/userguide/node-repair.html"
    proposes = ("node_repair",)

    def check(self, context: RuleContext) -> Violations:
        eks = context.environment.config.section(Eks)
        if eks is None or eks.addons.node_monitoring_agent is not False:
            return
        if groups := [group.name for group in node_groups(context.environment) if group.has_node_repair]:
            yield Violation(
                ("eks", "addons", "node_monitoring_agent"),
                f"node_monitoring_agent is false, so node repair of {listed(groups)} does not detect broken Neuron "
                "devices",
                f"remove node_monitoring_agent, or set node_repair: false in {listed(groups)}",
            )
