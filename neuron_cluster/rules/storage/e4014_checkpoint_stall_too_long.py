"""A synchronous save that takes longer than the training may wait."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from neuron_cluster.checkpoints.assessment import Shortfall
from neuron_cluster.findings.text import size_text, time_text
from neuron_cluster.plan.checkpoint_storage import checkpoint_storage
from neuron_cluster.rules.base import PlanRule, Violation
from neuron_cluster.rules.checkpoint_hints import enough_storage

if TYPE_CHECKING:
    from neuron_cluster.catalog.catalog import Catalog
    from neuron_cluster.plan.cluster_plan import ClusterPlan


class CheckpointStallTooLong(PlanRule):
    """A synchronous save ends within the stall (`storage.checkpoints.stall_seconds`).

    Tiers of 125 and 250 MB/s per TiB write up to 500 MB/s per TiB while burst credits last: the first saves are faster
    than those that follow.

    Without this check AWS reports no error. All nodes wait for each save for longer than planned.
    """

    id = "E4014"
    source = "https://docs.aws.amazon.com/fsx/latest/LustreGuide/performance.html"

    def check(self, plan: ClusterPlan, catalog: Catalog) -> Iterator[Violation]:
        del catalog
        found = checkpoint_storage(plan.storage, plan.region)
        if found is None or found.given is None or Shortfall.STALL not in found.given.assessment.shortfalls:
            return
        assessment, spec = found.given.assessment, found.spec
        save = time_text(max(assessment.write, assessment.creates))
        yield Violation(
            ("storage", "checkpoints", "stall_seconds"),
            f"a save of {size_text(spec.size)} in {spec.files:,} files takes {save} on {assessment.file_system}, and "
            f"the training waits {time_text(spec.stall)} at most",
            enough_storage(found, "raise stall_seconds, or set mode: async"),
        )
