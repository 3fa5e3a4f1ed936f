from __future__ import annotations

from neuron_cluster.kubernetes.names import NEURON
from neuron_cluster.providers.eks.node_groups import node_groups
from neuron_cluster.rules.base import Rule, RuleContext, Violation, Violations


class TooManyTaints(Rule):
    """A node group has at most as many taints as EKS allows (`taints`).

    Neuron groups have one taint of the toolkit, which counts.

    Without this check EKS rejects the node group with InvalidParameterException, after the cluster has been created.
    """

    id = "E3066"
    source = "https://docs.aws.amazon.com/eks/latest/userguide/node-taints-managed-node-groups.html"

    def check(self, context: RuleContext) -> Violations:
        maximum = context.catalog.limits["eks_node_group_taints"].maximum
        for group in node_groups(context.environment):
            yours = len(group.spec.taints)
            count = yours + group.is_neuron
            if maximum is not None and count > maximum:
                own = f" ({yours} of yours, and {NEURON}, which every Neuron group has)" if group.is_neuron else ""
                yield Violation(
                    (*group.path, "taints"),
                    f"{group.name} would have {count} taints{own}; EKS allows {maximum}",
                    "remove taints; one taint with a team or purpose as its value can often replace several",
                )
