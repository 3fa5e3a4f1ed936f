"""Nodes that outlive their capacity block."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from neuron_cluster.rules.base import ConfigRule, Violation

if TYPE_CHECKING:
    from neuron_cluster.catalog.catalog import Catalog
    from neuron_cluster.resolved.environment import ResolvedEnvironment


class BlockGroupNeverEmpty(ConfigRule):
    """A node group in a capacity block may shrink to no node at all.

    A block ends at a fixed hour and takes its machines.

    Without this check AWS reports no error at first. When the block ends, the Auto Scaling group goes on asking for
    machines of a reservation that is over, and jobs are scheduled to nodes that are about to go.
    """

    id = "W3027"
    source = "https://docs.aws.amazon.com/eks/latest/userguide/capacity-blocks-mng.html"
    proposes = ("desired", "ends", "min")
    references = ("aws/karpenter-provider-aws#8362",)

    def check(self, environment: ResolvedEnvironment, catalog: Catalog) -> Iterator[Violation]:
        del catalog
        for node_group in environment.cluster_groups:
            least = node_group.scaling.minimum
            if node_group.block is not None and least > 0:
                yield Violation(
                    (*node_group.path, "count", "min"),
                    f"min is {least}, but the capacity block of {node_group.name} ends, and its machines with it",
                    "set min: 0, and desired: 0 before the block ends",
                )
