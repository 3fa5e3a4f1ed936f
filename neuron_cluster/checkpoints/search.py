"""The cheapest file system that takes the checkpoints."""

from __future__ import annotations

import bisect
from collections.abc import Iterable, Mapping

from neuron_cluster.catalog.lustre import LustreDeploymentFacts
from neuron_cluster.catalog.lustre_performance import LustrePerformance
from neuron_cluster.catalog.storage_price import StoragePrice
from neuron_cluster.checkpoints.assessment import Assessment, Shortfall, assess
from neuron_cluster.checkpoints.file_system import FileSystem
from neuron_cluster.checkpoints.spec import CheckpointSpec

LARGEST_GIB = 10_000_000
"""The largest capacity that the environment file accepts."""


def smallest_of_each_tier(
    spec: CheckpointSpec, deployment: LustreDeploymentFacts, performance: LustrePerformance
) -> tuple[Assessment, ...]:
    """Returns the smallest file system of each throughput tier that takes the checkpoints, if there is one."""
    found = (_smallest(spec, deployment, performance, tier) for tier in performance.tiers)
    return tuple(each for each in found if each is not None)


def cheapest(assessments: Iterable[Assessment], prices: Mapping[str, StoragePrice], region: str) -> Assessment | None:
    """Where a Region has no price, prices of another Region give the order."""

    def usd(assessment: Assessment) -> float:
        file_system = assessment.file_system
        row = prices[file_system.price_name]
        known = region if region in row.regions else next(iter(row.regions))
        return row.usd(file_system.capacity_gib, known) or 0.0

    return min(assessments, key=usd, default=None)


def _smallest(
    spec: CheckpointSpec, deployment: LustreDeploymentFacts, performance: LustrePerformance, tier: int
) -> Assessment | None:
    """More capacity is never worse, so the sizes are searched by halves."""
    step = deployment.capacity_step_gib
    first = deployment.first_capacities_gib
    sizes = [*first, *range(max(first) // step * step + step, LARGEST_GIB, step)]

    def assessed(capacity_gib: int) -> Assessment:
        file_system = FileSystem(
            deployment_type=deployment.name, capacity_gib=capacity_gib, tier=tier, performance=performance
        )
        return assess(spec, file_system)

    position = bisect.bisect_left(sizes, True, key=lambda size: _fits(assessed(size)))
    return assessed(sizes[position]) if position < len(sizes) else None


def _fits(assessment: Assessment) -> bool:
    """Host memory is a property of the nodes, not of the file system."""
    return not set(assessment.shortfalls) - {Shortfall.HOST_MEMORY}
