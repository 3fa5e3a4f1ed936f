from __future__ import annotations

from collections.abc import Sequence

from local_kubernetes.model.chart_values import value_at
from neuron_cluster.findings.text import listed
from neuron_cluster.resolved.resolved_environment import ResolvedEnvironment
from neuron_cluster.rules.base import Rule, RuleContext, Violation, Violations
from neuron_cluster.schedulers.kubernetes.node_group import KubernetesNodeGroup, node_groups
from neuron_cluster.schedulers.kubernetes.section import kubernetes_in
from neuron_cluster.schedulers.kubernetes.software.components.registry import NEURON_CHART

RECOVERY = "npd.nodeRecovery.enabled"


class ConflictingNodeRepair(Rule):
    """EKS, HyperPod or the Neuron node problem detector repairs Neuron nodes, only one of them (`node_repair`).

    EKS node repair is enabled for Neuron groups by default, and so is `hyperpod.node_recovery`; the recovery is
    disabled unless chart_values enable it, and its pods then get an IAM role. It calls SetInstanceHealth of Auto
    Scaling, to which nodes of HyperPod are unknown, also with `hyperpod.node_recovery: none`.

    Without this check AWS reports no error. Both detect the same broken device: EKS drains and replaces the node with
    its thresholds and waiting times while the recovery terminates it at once with its jobs, and limits for parallel
    repairs apply to only one of them. On nodes of HyperPod each call of the recovery fails.
    """

    id = "E5038"
    source = (
        "https://docs.aws.amazon.com/eks/latest/userguide/node-repair.html; "
        "https://docs.aws.amazon.com/sagemaker/latest/dg/"
        "sagemaker-hyperpod-eks-resiliency-health-monitoring-agent.html; "
        "aws-neuron/aws-neuron-sdk: deploy/infrastructure/problem-detector.rst"
    )
    proposes = ("node_repair",)

    def check(self, context: RuleContext) -> Violations:
        cluster = kubernetes_in(context.environment.config)
        if cluster is None or value_at(cluster.section.chart_values.get(NEURON_CHART, {}), RECOVERY) is not True:
            return
        conflicting = groups_in_conflict_with_recovery(context.environment)
        out_of_reach = [group for group in conflicting if not group.has_auto_scaling_group]
        repaired: dict[str, list[KubernetesNodeGroup]] = {}
        for group in conflicting:
            if group.has_node_repair:
                repaired.setdefault(group.repair_display_name, []).append(group)
        by_name = sorted(repaired.items())
        reasons = [f"{name} is also enabled for {_names(groups)}" for name, groups in by_name]
        if out_of_reach:
            reasons.append(f"Auto Scaling, which the recovery calls, has no nodes of {_names(out_of_reach)}")
        edits = listed(groups[0].repair_off(_names(groups)) for _, groups in by_name)
        if reasons:
            yield Violation(
                (*cluster.path, "chart_values", NEURON_CHART, *RECOVERY.split(".")),
                ", and ".join((f"{RECOVERY} is true", *reasons)),
                "remove the value" if out_of_reach else f"remove the value, or set {edits}",
            )


def groups_in_conflict_with_recovery(environment: ResolvedEnvironment) -> Sequence[KubernetesNodeGroup]:
    """Returns the Neuron groups that something else repairs, or whose nodes the recovery cannot replace."""
    return [
        group
        for group in node_groups(environment)
        if group.is_neuron and (group.has_node_repair or not group.has_auto_scaling_group)
    ]


def _names(groups: Sequence[KubernetesNodeGroup]) -> str:
    return listed(group.name for group in groups)
