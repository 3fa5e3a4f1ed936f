from __future__ import annotations

from neuron_cluster.findings.text import listed
from neuron_cluster.kubernetes.chart_values import value_at
from neuron_cluster.providers.eks.config.cluster import Eks
from neuron_cluster.providers.eks.node_groups import node_groups
from neuron_cluster.rules.base import Rule, RuleContext, Violation, Violations
from neuron_cluster.schedulers.kubernetes.software.components.registry import NEURON_CHART

RECOVERY = "npd.nodeRecovery.enabled"


class ConflictingNodeRepair(Rule):
    """EKS or the Neuron node problem detector repairs Neuron nodes, not both (`node_repair`).

    EKS node repair is enabled for Neuron groups by default; the recovery is disabled unless chart_values enable it,
    and its pods then get an IAM role.

    Without this check AWS reports no error. Both detect the same broken device: EKS drains and replaces the node with
    its thresholds and waiting times while the recovery terminates it at once with its jobs, and limits for parallel
    repairs apply to only one of them.
    """

    id = "E5038"
    source = (
        "https://docs.aws.amazon.com/eks/latest/userguide/node-repair.html; "
        "aws-neuron/aws-neuron-sdk: deploy/infrastructure/problem-detector.rst"
    )
    proposes = ("node_repair",)

    def check(self, context: RuleContext) -> Violations:
        eks = context.environment.config.section(Eks)
        if eks is None:
            return
        if value_at(eks.chart_values.get(NEURON_CHART, {}), RECOVERY) is not True:
            return
        neuron = (group for group in node_groups(context.environment) if group.is_neuron)
        repaired = [group.name for group in neuron if group.has_node_repair]
        if repaired:
            yield Violation(
                ("eks", "chart_values", NEURON_CHART, *RECOVERY.split(".")),
                f"{RECOVERY} is true, and EKS node repair is also enabled for {listed(repaired)}",
                f"remove the value, or set node_repair: false in {listed(repaired)}",
            )
