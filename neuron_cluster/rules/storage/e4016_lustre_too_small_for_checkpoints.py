"""A file system that is too small for the checkpoints that it keeps."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from neuron_cluster.checkpoints.assessment import Shortfall
from neuron_cluster.findings.text import size_text
from neuron_cluster.plan.checkpoint_storage import checkpoint_storage
from neuron_cluster.rules.base import PlanRule, Violation
from neuron_cluster.rules.checkpoint_hints import enough_storage

if TYPE_CHECKING:
    from neuron_cluster.catalog.catalog import Catalog
    from neuron_cluster.plan.cluster_plan import ClusterPlan


class LustreTooSmallForCheckpoints(PlanRule):
    """The file system holds the kept checkpoints and one more (`storage.lustre.capacity_gib`).

    It is at most 80 % full while the newest one is written.

    Without this check AWS reports no error. Object storage targets that are almost full make writers wait, and a full
    one truncates the checkpoint.
    """

    id = "E4016"
    source = "https://repost.aws/knowledge-center/fsx-for-lustre-performance"

    def check(self, plan: ClusterPlan, catalog: Catalog) -> Iterator[Violation]:
        del catalog
        found = checkpoint_storage(plan.storage, plan.region)
        if found is None or found.given is None or Shortfall.CAPACITY not in found.given.assessment.shortfalls:
            return
        assessment, spec = found.given.assessment, found.spec
        limit = assessment.file_system.performance.fill_limit
        yield Violation(
            ("storage", "lustre", "capacity_gib"),
            f"{spec.kept} kept checkpoints and one more of {size_text(spec.size)} need "
            f"{assessment.needed_capacity_gib:,.0f} GiB at {limit:.0%}, and capacity_gib is "
            f"{assessment.file_system.capacity_gib}",
            enough_storage(found, "lower keep_latest"),
        )
