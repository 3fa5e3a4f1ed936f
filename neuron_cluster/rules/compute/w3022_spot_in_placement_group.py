"""Spare machines that must also stand together."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from neuron_cluster.config.capacity import Spot
from neuron_cluster.rules.base import ConfigRule, Violation

if TYPE_CHECKING:
    from neuron_cluster.catalog.catalog import Catalog
    from neuron_cluster.resolved.environment import ResolvedEnvironment


class SpotInPlacementGroup(ConfigRule):
    """Spot machines are not also tied to a cluster placement group.

    A group with EFA has one unless it says ``placement: none``; EFA works without, a little slower. Only a warning:
    where spare capacity is plentiful both can be had.

    Without this check EC2 answers InsufficientInstanceCapacity although the zone has spare machines, because they do
    not stand where the group began; a machine that was taken back is replaced late or never.
    """

    id = "W3022"
    source = "https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/placement-strategies.html#placement-groups-cluster"
    proposes = ("placement",)
    references = ("aws/aws-parallelcluster#1502",)

    def check(self, environment: ResolvedEnvironment, catalog: Catalog) -> Iterator[Violation]:
        del catalog
        for node_group in environment.cluster_groups:
            if isinstance(node_group.capacity, Spot) and node_group.in_placement_group:
                by_default = "" if node_group.spec.placement is not None else ", as groups with EFA are by default"
                yield Violation(
                    (*node_group.path, "placement"),
                    f"{node_group.name} is bought as spot and packed into a cluster placement group{by_default}",
                    "set placement: none to take spare machines anywhere in the zone",
                )
