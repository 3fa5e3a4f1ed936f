"""EFA machines that stand anywhere."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from neuron_cluster.config.capacity import OnDemand
from neuron_cluster.config.machine import Placement
from neuron_cluster.rules.base import ConfigRule, Violation

if TYPE_CHECKING:
    from neuron_cluster.catalog.catalog import Catalog
    from neuron_cluster.resolved.environment import ResolvedEnvironment


class EfaWithoutPlacementGroup(ConfigRule):
    """On-demand machines with EFA stand in a cluster placement group.

    Only a warning: EFA does not need the group, and without it EC2 finds room more easily. Spot machines (rule W3022),
    reservations and capacity blocks (rule E3006) are better off without.

    Without this check AWS reports no error. Machines stand anywhere in the zone, more switches lie between them, and
    collectives wait for the slowest pair.
    """

    id = "W3023"
    source = "https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/efa-start.html"
    proposes = ("placement",)
    references = ("aws/aws-parallelcluster#1502",)

    def check(self, environment: ResolvedEnvironment, catalog: Catalog) -> Iterator[Violation]:
        del catalog
        for node_group in environment.cluster_groups:
            group = node_group.spec
            is_apart = node_group.has_efa and group.placement is Placement.NONE and group.count.max > 1
            if is_apart and isinstance(group.capacity, OnDemand):
                yield Violation(
                    (*node_group.path, "placement"),
                    f"placement is none, so up to {group.count.max} machines of {node_group.name} with EFA "
                    "stand anywhere in their zone",
                    "remove placement to get a cluster placement group, unless EC2 has no room for one",
                )
