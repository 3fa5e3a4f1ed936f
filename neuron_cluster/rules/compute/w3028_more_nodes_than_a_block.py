"""Groups that no capacity block can fill."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from neuron_cluster.config.capacity import CapacityBlock
from neuron_cluster.rules.base import ConfigRule, Violation

if TYPE_CHECKING:
    from neuron_cluster.catalog.catalog import Catalog
    from neuron_cluster.resolved.environment import ResolvedEnvironment


class MoreNodesThanABlock(ConfigRule):
    """A node group in a capacity block is no larger than a block can be.

    Only a warning: the largest size is not the same for every type and Region.

    Without this check AWS reports the error late. The nodes beyond the block's size are rejected with
    ReservationCapacityExceeded, and EKS reports the group as degraded.
    """

    id = "W3028"
    source = "https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/ec2-capacity-blocks.html"

    def check(self, environment: ResolvedEnvironment, catalog: Catalog) -> Iterator[Violation]:
        most = catalog.limit("capacity_block_instances").require_maximum()
        for node_group in environment.cluster_groups:
            wanted = node_group.scaling.require_maximum()
            if isinstance(node_group.capacity, CapacityBlock) and wanted > most:
                yield Violation(
                    (*node_group.path, "count", "max"),
                    f"max is {wanted}, but a capacity block has {most} machines at most",
                    f"lower max to {most}, and make another group for another block",
                )
