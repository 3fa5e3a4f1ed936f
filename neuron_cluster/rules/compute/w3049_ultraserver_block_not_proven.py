"""What is not known of UltraServers on EKS."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from neuron_cluster.config.capacity import UltraserverBlock
from neuron_cluster.rules.base import ConfigRule, Violation

if TYPE_CHECKING:
    from neuron_cluster.catalog.catalog import Catalog
    from neuron_cluster.resolved.environment import ResolvedEnvironment


class UltraserverBlockNotProven(ConfigRule):
    """A group in a block of UltraServers rests on what no public source shows.

    EC2 takes instances into such a block as into any other. That a managed node group does is inferred, and so is that
    one reservation holds the whole block: a purchase answers with a list of reservations. Only a warning.

    Without this check perhaps nothing; perhaps EKS reports the node group as CREATE_FAILED on the first day of a block
    that is paid for.
    """

    id = "W3049"
    source = (
        "https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/cb-group.html; "
        "https://docs.aws.amazon.com/AWSEC2/latest/APIReference/API_PurchaseCapacityBlock.html; "
        "https://docs.aws.amazon.com/eks/latest/userguide/capacity-blocks-mng.html"
    )
    proposes = ("capacity",)

    def check(self, environment: ResolvedEnvironment, catalog: Catalog) -> Iterator[Violation]:
        del catalog
        for node_group in environment.cluster_groups:
            if isinstance(node_group.capacity, UltraserverBlock):
                yield Violation(
                    (*node_group.path, "capacity", "kind"),
                    f"{node_group.name} runs in a block of UltraServers, and no public source shows a managed node "
                    "group in one, nor how many reservations a block of several UltraServers has",
                    "ask AWS before you pay; then see that `aws ec2 describe-capacity-blocks` lists "
                    f"{node_group.reservation_id} alone for the block",
                )
