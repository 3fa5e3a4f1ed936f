"""Node groups beyond the quota of EKS."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from neuron_cluster.rules.base import ConfigRule, Violation

if TYPE_CHECKING:
    from neuron_cluster.catalog.catalog import Catalog
    from neuron_cluster.resolved.environment import ResolvedEnvironment


class MoreNodesThanAGroup(ConfigRule):
    """A node group is no larger than EKS lets one be by default.

    Only a warning: it is a quota, and AWS raises it on request.

    Without this check EKS rejects the node group with InvalidParameterException or ResourceLimitExceededException,
    after the cluster has been built.
    """

    id = "W3032"
    source = "https://docs.aws.amazon.com/eks/latest/userguide/service-quotas.html"

    def check(self, environment: ResolvedEnvironment, catalog: Catalog) -> Iterator[Violation]:
        most = catalog.limit("nodes_per_managed_node_group").require_maximum()
        for node_group in environment.cluster_groups:
            if node_group.scaling.require_maximum() > most:
                yield Violation(
                    (*node_group.path, "count", "max"),
                    f"max is {node_group.scaling.require_maximum()}; EKS has {most} nodes in a group by default",
                    f"lower max to {most}, divide the group, or ask for a higher quota (nodes per managed node group)",
                )
