from __future__ import annotations

from local_kubernetes.model.chart_values import value_at
from neuron_cluster.rules.base import Rule, RuleContext, Violation, Violations
from neuron_cluster.schedulers.kubernetes.rules.software.e5038_conflicting_node_repair import (
    RECOVERY,
    groups_in_conflict_with_recovery,
)
from neuron_cluster.schedulers.kubernetes.section import kubernetes_in
from neuron_cluster.schedulers.kubernetes.software.components.registry import NEURON_CHART


class RecoveryWithoutMetadata(Rule):
    """The recovery of the Neuron node problem detector has access to instance metadata (`eks.chart_values`).

    Nodes limit instance metadata to one hop, so that pods cannot use the node's IAM role; the chart does not run the
    recovery in the host network.

    Silent where rule E5038 rejects the recovery. Only a warning: the requirement is inferred from the hop
    limit of 2 in Neuron's samples.

    Without this check AWS reports no error. The recovery detects the broken device but does not terminate the node.
    """

    id = "W5072"
    source = (
        "aws-neuron/aws-neuron-sdk: deploy/eks/prerequisites.rst, deploy/infrastructure/problem-detector.rst; "
        "aws-neuron/neuron-helm-charts: charts/neuron-helm-chart/templates/npd/npd-daemonset.yaml"
    )
    proposes = ("node_repair",)

    def check(self, context: RuleContext) -> Violations:
        cluster = kubernetes_in(context.environment.config)
        if cluster is None or groups_in_conflict_with_recovery(context.environment):  # rule E5038
            return
        if value_at(cluster.section.chart_values.get(NEURON_CHART, {}), RECOVERY) is True:
            yield Violation(
                (*cluster.path, "chart_values", NEURON_CHART, *RECOVERY.split(".")),
                f"{RECOVERY} is true, and pods cannot read the instance metadata of their node (hop limit 1)",
                "remove the value, because EKS node repair (node_repair, on by default) replaces nodes with broken "
                "devices",
            )
