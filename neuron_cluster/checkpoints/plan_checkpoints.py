"""A plan of checkpoints: the file system that is given or chosen, held against the others, and the costs."""

from __future__ import annotations

import functools

from msgspec import Struct

from neuron_cluster.catalog.catalog import Catalog
from neuron_cluster.catalog.s3_transfer import STANDARD
from neuron_cluster.checkpoints.assessment import Assessment, assess
from neuron_cluster.checkpoints.direct_bucket import DirectBucket
from neuron_cluster.checkpoints.file_system import FileSystem
from neuron_cluster.checkpoints.monthly_cost import CostLine, cost_lines
from neuron_cluster.checkpoints.search import cheapest, smallest_of_each_tier
from neuron_cluster.checkpoints.spec import CheckpointSpec


class Candidate(Struct, frozen=True, kw_only=True):
    """One file system with what it costs."""

    assessment: Assessment
    costs: tuple[CostLine, ...]


class CheckpointPlan(Struct, frozen=True, kw_only=True):
    """``given`` is the file system or bucket of the environment, None without one.

    ``best`` is the cheapest file system; None where none is enough, or the checkpoints are in a bucket alone.
    """

    spec: CheckpointSpec
    region: str
    given: Candidate | None
    best: Candidate | None
    candidates: tuple[Candidate, ...]
    """The smallest of each throughput tier."""

    @property
    def chosen(self) -> Candidate | None:
        return self.given or self.best


@functools.lru_cache(maxsize=8)
def plan_checkpoints(
    spec: CheckpointSpec,
    region: str,
    deployment_type: str,
    catalog: Catalog,
    given: FileSystem | None = None,
    tier: int | None = None,
) -> CheckpointPlan:
    """With ``tier`` file systems of this throughput alone are candidates.

    Of a deployment type that ``lustre_performances`` has. Kept, because several rules and the pages ask for it.
    """
    deployment, performance = catalog.lustre_deployments[deployment_type], catalog.lustre_performances[deployment_type]
    found = [
        each for each in smallest_of_each_tier(spec, deployment, performance) if tier in (None, each.file_system.tier)
    ]
    best = cheapest(found, catalog.storage_prices.by_name, region)
    return CheckpointPlan(
        spec=spec,
        region=region,
        given=_candidate(spec, assess(spec, given), region, catalog) if given is not None else None,
        best=_candidate(spec, best, region, catalog) if best is not None else None,
        candidates=tuple(_candidate(spec, each, region, catalog) for each in found),
    )


@functools.lru_cache(maxsize=8)
def plan_in_bucket(spec: CheckpointSpec, region: str, catalog: Catalog) -> CheckpointPlan:
    """Returns the plan of programs that save to the bucket of the environment, without a file system."""
    target = DirectBucket(nodes=spec.nodes, transfer=catalog.s3_transfers[STANDARD])
    given = _candidate(spec, assess(spec, target), region, catalog)
    return CheckpointPlan(spec=spec, region=region, given=given, best=None, candidates=())


def _candidate(spec: CheckpointSpec, assessment: Assessment, region: str, catalog: Catalog) -> Candidate:
    return Candidate(assessment=assessment, costs=cost_lines(spec, assessment, catalog.storage_prices.by_name, region))
