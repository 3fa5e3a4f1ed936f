"""Rules that compare the file system of an environment with its checkpoints."""

from __future__ import annotations

import abc
from collections.abc import Iterator
from typing import TYPE_CHECKING

from neuron_cluster.plan.checkpoint_storage import checkpoint_storage
from neuron_cluster.rules.base import PlanRule, Violation

if TYPE_CHECKING:
    from neuron_cluster.catalog.catalog import Catalog
    from neuron_cluster.checkpoints.assessment import Assessment
    from neuron_cluster.checkpoints.plan_checkpoints import CheckpointPlan
    from neuron_cluster.plan.cluster_plan import ClusterPlan


class CheckpointRule(PlanRule):
    """Silent where no checkpoints are planned."""

    def check(self, plan: ClusterPlan, catalog: Catalog) -> Iterator[Violation]:
        del catalog
        found = checkpoint_storage(plan.storage, plan.region)
        if found is not None and found.given is not None:
            yield from self.compare(found, found.given.assessment)

    @abc.abstractmethod
    def compare(self, plan: CheckpointPlan, assessment: Assessment) -> Iterator[Violation]:
        """``assessment`` is that of the file system of the environment."""
