"""Default (adjustable) quota of nodes per managed node group exceeded."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from neuron_cluster.providers.eks.node_groups import node_groups
from neuron_cluster.rules.base import ConfigRule, Violation

if TYPE_CHECKING:
    from neuron_cluster.catalog.catalog import Catalog
    from neuron_cluster.resolved.resolved_environment import ResolvedEnvironment


class NodeGroupQuotaExceeded(ConfigRule):
    """The size of a node group does not exceed the default EKS quota of nodes per group (`count.max`).

    Only a warning: AWS raises the quota on request.

    Without this check EKS rejects the node group with InvalidParameterException or ResourceLimitExceededException,
    after the cluster has been created.
    """

    id = "W3032"
    source = "https://docs.aws.amazon.com/eks/latest/userguide/service-quotas.html"

    def check(self, environment: ResolvedEnvironment, catalog: Catalog) -> Iterator[Violation]:
        quota = catalog.limit("nodes_per_managed_node_group").require_maximum()
        for node_group in node_groups(environment):
            if node_group.scaling.require_maximum() > quota:
                yield Violation(
                    (*node_group.path, "count", "max"),
                    f"max is {node_group.scaling.require_maximum()}; the default EKS quota is {quota} nodes per "
                    "managed node group",
                    f"lower max to {quota}, divide the group, or request a higher quota (nodes per managed node group)",
                )
