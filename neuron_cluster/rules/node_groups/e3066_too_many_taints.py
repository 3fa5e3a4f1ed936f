"""More taints than EKS takes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from neuron_cluster.kubernetes.names import NEURON
from neuron_cluster.rules.asked_node_group import asked_node_groups
from neuron_cluster.rules.base import ConfigRule, Violation

if TYPE_CHECKING:
    from neuron_cluster.catalog.catalog import Catalog
    from neuron_cluster.config.environment import EnvironmentConfig


class TooManyTaints(ConfigRule):
    """A node group has at most as many taints as EKS takes.

    Neuron groups have one of the toolkit's own, which counts.

    Without it: EKS refuses the node group with InvalidParameterException, after the cluster has been built.
    """

    id = "E3066"
    source = "https://docs.aws.amazon.com/eks/latest/userguide/node-taints-managed-node-groups.html"

    def check(self, config: EnvironmentConfig, catalog: Catalog) -> Iterator[Violation]:
        most = catalog.limit("eks_node_group_taints").maximum
        for asked in asked_node_groups(config, catalog):
            yours = len(asked.group.taints)
            count = yours + asked.is_neuron
            if most is not None and count > most:
                own = f" ({yours} of yours, and {NEURON}, which every Neuron group has)" if asked.is_neuron else ""
                yield Violation(
                    (*asked.path, "taints"),
                    f"{asked.group.name} would have {count} taints{own}; EKS takes {most}",
                    "remove some; one taint with the value of a team or purpose often does the work of several",
                )
