"""Nodes that wait for their capacity block."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from neuron_cluster.rules.asked_node_group import asked_node_groups
from neuron_cluster.rules.base import ConfigRule, Violation

if TYPE_CHECKING:
    from neuron_cluster.catalog.catalog import Catalog
    from neuron_cluster.config.environment import EnvironmentConfig


class NodesBeforeBlockIsActive(ConfigRule):
    """A node group in a capacity block is created without nodes, and gets them while the block is active.

    Asked where the file does not say when the block `starts`; where it does, rule W3042 compares it with a day.

    Only a warning: while the block is active, a desired size is right. Set it back to 0 more than 30 minutes before the
    end, when EC2 begins to stop the machines, and before every update of the group, as EKS asks.

    Without it: EC2 refuses every launch until the block begins. EKS's guide has the group's Auto Scaling group try on
    until then; that the node group fails before, and the nodes stack rolls back, is in doubt.
    """

    id = "W3026"
    source = "https://docs.aws.amazon.com/eks/latest/userguide/capacity-blocks-mng.html"

    def check(self, config: EnvironmentConfig, catalog: Catalog) -> Iterator[Violation]:
        for asked in asked_node_groups(config, catalog):
            block, desired = asked.block, asked.group.count.desired
            if block is not None and block.starts is None and desired > 0:
                yield Violation(
                    (*asked.path, "count", "desired"),
                    f"desired is {desired}, but nodes of {asked.group.name} start only while its capacity block is "
                    "active",
                    f"set desired: 0 unless `aws ec2 describe-capacity-reservations --capacity-reservation-ids "
                    f"{block.reservation_id}` says active, or write the block's starts beside it",
                )
