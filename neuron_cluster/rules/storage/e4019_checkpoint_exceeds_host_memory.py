"""An asynchronous save whose copy does not fit in host memory."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from neuron_cluster.checkpoints.assessment import Shortfall
from neuron_cluster.rules.base import Violation
from neuron_cluster.rules.checkpoint_rule import CheckpointRule

if TYPE_CHECKING:
    from neuron_cluster.checkpoints.assessment import Assessment
    from neuron_cluster.checkpoints.plan_checkpoints import CheckpointPlan


class CheckpointExceedsHostMemory(CheckpointRule):
    """The copy of an asynchronous save fits in the memory of the nodes (`storage.checkpoints.mode`).

    An asynchronous save keeps a copy of the part of each node, and another one while it is written: twice the size of
    the checkpoint, divided by the nodes, beside what the training itself uses.

    Without this check AWS reports no error. The first save ends with the out-of-memory killer on every node.
    """

    id = "E4019"
    source = "https://awsdocs-neuron.readthedocs-hosted.com/en/latest/libraries/neuronx-distributed/api-reference-guide-training.html"

    def compare(self, plan: CheckpointPlan, assessment: Assessment) -> Iterator[Violation]:
        if Shortfall.HOST_MEMORY not in assessment.shortfalls:
            return
        spec = plan.spec
        yield Violation(
            ("storage", "checkpoints", "mode"),
            f"mode is async: copies of {spec.staging_gib:,.0f} GiB on each of {spec.nodes} nodes, which have "
            f"{spec.host_memory_gib:,} GiB of memory",
            "set mode: sync, or save from more nodes",
        )
