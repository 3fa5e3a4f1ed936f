from __future__ import annotations

from neuron_cluster.providers.eks.config.cluster import Eks
from neuron_cluster.rules.base import Rule, RuleContext, Violation, Violations


class NetworkPoliciesInAutoMode(Rule):
    """NetworkPolicies are enforced on all nodes (`eks.auto_mode`).

    The vpc-cni add-on enforces them on node groups. Nodes of EKS Auto Mode enforce them only for a NodeClass with
    `networkPolicy`; the built-in NodeClass cannot be edited.

    Without this check AWS reports no error. NetworkPolicies of charts are accepted, but pods on nodes of the built-in
    node pools are reachable from every pod.
    """

    id = "W5071"
    source = "https://docs.aws.amazon.com/eks/latest/userguide/auto-net-pol.html"
    proposes = ("auto_mode", "eks")

    def check(self, context: RuleContext) -> Violations:
        eks = context.environment.config.section(Eks)
        if eks is not None and eks.auto_mode:
            yield Violation(
                ("eks", "auto_mode"),
                "eks.auto_mode is true: NetworkPolicies have no effect on nodes that EKS Auto Mode starts from its "
                "built-in node pools",
                "set eks.auto_mode: false; or run pods that a NetworkPolicy protects on node groups",
            )
