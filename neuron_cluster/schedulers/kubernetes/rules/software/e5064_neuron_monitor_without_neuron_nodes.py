from __future__ import annotations

from neuron_cluster.rules.base import Rule, RuleContext, Violation, Violations
from neuron_cluster.schedulers.kubernetes.node_group import node_groups
from neuron_cluster.schedulers.kubernetes.section import kubernetes_in


class NeuronMonitorWithoutNeuronNodes(Rule):
    """neuron-monitor requires a node group with Neuron devices (`eks.addons.neuron_monitor`).

    Its chart lists the instance types of those groups, and does not allow an empty list.

    Without this check helm reports that values do not meet the schema, "instanceTypes: minItems: got 0, want 1", and
    the software stack rolls back.
    """

    id = "E5064"
    source = "the design of this toolkit: charts/neuron-monitor/values.schema.json"
    proposes = ("neuron_monitor",)

    def check(self, context: RuleContext) -> Violations:
        cluster = kubernetes_in(context.environment.config)
        if cluster is None or not cluster.flag("neuron_monitor"):
            return
        if not any(group.is_neuron for group in node_groups(context.environment)):
            yield Violation(
                (*cluster.path, "addons", "neuron_monitor"),
                "neuron_monitor is true, but no node group has Neuron devices",
                "remove neuron_monitor, or add a Neuron node group",
            )
