"""An asynchronous save whose copy does not fit in host memory."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from neuron_cluster.checkpoints.assessment import Shortfall
from neuron_cluster.plan.checkpoint_storage import checkpoint_storage
from neuron_cluster.rules.base import PlanRule, Violation

if TYPE_CHECKING:
    from neuron_cluster.catalog.catalog import Catalog
    from neuron_cluster.plan.cluster_plan import ClusterPlan


class CheckpointExceedsHostMemory(PlanRule):
    """The copy of an asynchronous save fits in the memory of the nodes (`storage.checkpoints.mode`).

    An asynchronous save keeps a copy of the part of each node, and another one while it is written: twice the size of
    the checkpoint, divided by the nodes, beside what the training itself uses.

    Without this check AWS reports no error. The first save ends with the out-of-memory killer on every node.
    """

    id = "E4019"
    source = "https://awsdocs-neuron.readthedocs-hosted.com/en/latest/libraries/neuronx-distributed/api-reference-guide-training.html"

    def check(self, plan: ClusterPlan, catalog: Catalog) -> Iterator[Violation]:
        del catalog
        found = checkpoint_storage(plan.storage, plan.region)
        if found is None or found.given is None or Shortfall.HOST_MEMORY not in found.given.assessment.shortfalls:
            return
        spec = found.spec
        yield Violation(
            ("storage", "checkpoints", "mode"),
            f"mode is async: copies of {spec.staging_gib:,.0f} GiB on each of {spec.nodes} nodes, which have "
            f"{spec.host_memory_gib:,} GiB of memory",
            "set mode: sync, or save from more nodes",
        )
