from __future__ import annotations

from neuron_cluster.providers.eks.node_groups import node_groups
from neuron_cluster.rules.base import Rule, RuleContext, Violation, Violations


class NodeGroupQuotaExceeded(Rule):
    """The size of a node group does not exceed the default EKS quota of nodes per group (`count.max`).

    Only a warning: AWS raises the quota on request.

    Without this check EKS rejects the node group with InvalidParameterException or ResourceLimitExceededException,
    after the cluster has been created.
    """

    id = "W3032"
    source = "https://docs.aws.amazon.com/eks/latest/userguide/service-quotas.html"

    def check(self, context: RuleContext) -> Violations:
        quota = context.catalog.limits["nodes_per_managed_node_group"].require_maximum()
        for node_group in node_groups(context.environment):
            if node_group.scaling.require_maximum() > quota:
                yield Violation(
                    (*node_group.path, "count", "max"),
                    f"max is {node_group.scaling.require_maximum()}; the default EKS quota is {quota} nodes per "
                    "managed node group",
                    f"lower max to {quota}, divide the group, or request a higher quota (nodes per managed node group)",
                )
