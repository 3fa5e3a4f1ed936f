"""Node group in a capacity block that cannot scale to zero."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from neuron_cluster.rules.base import ConfigRule, Violation

if TYPE_CHECKING:
    from neuron_cluster.catalog.catalog import Catalog
    from neuron_cluster.resolved.resolved_environment import ResolvedEnvironment


class CapacityBlockGroupMinAboveZero(ConfigRule):
    """A node group in a capacity block can scale to zero (`count.min`).

    A capacity block ends at a fixed time, and EC2 terminates its instances. Groups of PCS remain, and their jobs wait.

    Without this check AWS reports no error at first. After the end of the block, the Auto Scaling group keeps
    requesting instances of an expired reservation, and jobs are scheduled on nodes that EC2 is about to terminate.
    """

    id = "W3027"
    source = "https://docs.aws.amazon.com/eks/latest/userguide/capacity-blocks-mng.html"
    proposes = ("desired", "ends", "min")
    references = ("aws/karpenter-provider-aws#8362",)

    def check(self, environment: ResolvedEnvironment, catalog: Catalog) -> Iterator[Violation]:
        del catalog
        for group in environment.cluster_groups:
            minimum = group.scaling.minimum
            if group.block is not None and not group.waits_for_block and minimum > 0:
                yield Violation(
                    (*group.path, "count", "min"),
                    f"min is {minimum}, but EC2 terminates the instances of {group.name} when its capacity block ends",
                    "set min: 0, and desired: 0 before the block ends",
                )
