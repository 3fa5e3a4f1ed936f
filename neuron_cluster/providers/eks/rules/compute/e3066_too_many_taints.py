"""More taints than EKS allows per node group."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from neuron_cluster.kubernetes.names import NEURON
from neuron_cluster.providers.eks.node_groups import node_groups
from neuron_cluster.rules.base import ConfigRule, Violation

if TYPE_CHECKING:
    from neuron_cluster.catalog.catalog import Catalog
    from neuron_cluster.resolved.resolved_environment import ResolvedEnvironment


class TooManyTaints(ConfigRule):
    """A node group has at most as many taints as EKS allows (`taints`).

    Neuron groups have one taint of the toolkit, which counts.

    Without this check EKS rejects the node group with InvalidParameterException, after the cluster has been created.
    """

    id = "E3066"
    source = "https://docs.aws.amazon.com/eks/latest/userguide/node-taints-managed-node-groups.html"

    def check(self, environment: ResolvedEnvironment, catalog: Catalog) -> Iterator[Violation]:
        maximum = catalog.limit("eks_node_group_taints").maximum
        for group in node_groups(environment):
            yours = len(group.spec.taints)
            count = yours + group.is_neuron
            if maximum is not None and count > maximum:
                own = f" ({yours} of yours, and {NEURON}, which every Neuron group has)" if group.is_neuron else ""
                yield Violation(
                    (*group.path, "taints"),
                    f"{group.name} would have {count} taints{own}; EKS allows {maximum}",
                    "remove taints; one taint with a team or purpose as its value can often replace several",
                )
