"""Nodes that wait for their capacity block."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from neuron_cluster.rules.base import ConfigRule, Violation

if TYPE_CHECKING:
    from neuron_cluster.catalog.catalog import Catalog
    from neuron_cluster.resolved.environment import ResolvedEnvironment


class NodesBeforeBlockIsActive(ConfigRule):
    """A node group in a capacity block is created without nodes, and gets them while the block is active.

    Asked where the file does not say when the block `starts`; where it does, rule W3042 compares it with a day.

    Only a warning: while the block is active, a desired size is right. Set it back to 0 more than 30 minutes before
    the end, when EC2 begins to stop the machines, and before every update of the group, as EKS asks.

    Without this check EC2 rejects every launch until the block begins. EKS's guide has the group's Auto Scaling group
    try on until then; that the node group fails before, and the nodes stack rolls back, is in doubt.
    """

    id = "W3026"
    source = "https://docs.aws.amazon.com/eks/latest/userguide/capacity-blocks-mng.html"
    proposes = ("capacity", "desired", "starts")

    def check(self, environment: ResolvedEnvironment, catalog: Catalog) -> Iterator[Violation]:
        del catalog
        for node_group in environment.cluster_groups:
            block, desired = node_group.block, node_group.scaling.desired
            if block is not None and block.starts is None and desired > 0:
                yield Violation(
                    (*node_group.path, "count", "desired"),
                    f"desired is {desired}, but nodes of {node_group.name} start only while its capacity block is "
                    "active",
                    f"set desired: 0 unless `aws ec2 describe-capacity-reservations --capacity-reservation-ids "
                    f"{block.reservation_id}` says active, or write the block's starts beside it",
                )
