from __future__ import annotations

from neuron_cluster.rules.base import Needs, Rule, RuleContext, Violation, Violations


class AutoModeWithHyperpod(Rule):
    """Pods of HyperPod nodes reach those of all other nodes: the cluster has no EKS Auto Mode (`eks.auto_mode`).

    Nodes of EKS Auto Mode have the security group that EKS makes for the cluster, and no other one. The rules between
    HyperPod nodes and node groups are those of the network stack, which exists before that group.

    Without this check AWS reports no error. Pods on HyperPod nodes and pods that run on nodes of Auto Mode, such as
    CoreDNS, do not reach each other, and names are not resolved.
    """

    id = "E2217"
    needs = Needs.PLAN
    source = "https://docs.aws.amazon.com/eks/latest/userguide/auto-networking.html"
    proposes = ("auto_mode",)

    def check(self, context: RuleContext) -> Violations:
        cluster = context.plan.kubernetes
        if cluster is None or cluster.node_autoscaler is None:
            return
        if all(group.is_sold_by_ec2 for group in cluster.node_groups):
            return
        yield Violation(
            (*cluster.path, "auto_mode"),
            f"{cluster.node_autoscaler} starts nodes whose pods do not reach those of HyperPod nodes",
            "set auto_mode: false",
        )
