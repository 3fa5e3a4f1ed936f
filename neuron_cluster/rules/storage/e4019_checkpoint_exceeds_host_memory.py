from __future__ import annotations

from neuron_cluster.checkpoints.assessment import Assessment, Shortfall
from neuron_cluster.checkpoints.plan_checkpoints import CheckpointPlan
from neuron_cluster.rules.base import Violation, Violations
from neuron_cluster.rules.checkpoint_hints import async_memory
from neuron_cluster.rules.checkpoint_rule import CheckpointRule


class CheckpointExceedsHostMemory(CheckpointRule):
    """The copy of an asynchronous save fits in the memory of the nodes (`storage.checkpoints.mode`).

    An asynchronous save keeps a copy of the part of each node, and another one while it is written: twice the size of
    the checkpoint, divided by the nodes. What the training itself uses is added for nxd and nxd_xser, from an example
    of AWS: 110 GB of a node and 10 GB of each rank. It is an error although the catalog marks these numbers as
    doubtful, since AWS publishes them with a warning of the same failure. No source has a number for other frameworks.

    Without this check AWS reports no error. The first save ends with the out-of-memory killer on every node.
    """

    id = "E4019"
    source = "https://github.com/aws-neuron/aws-neuron-sdk/blob/81ce03a/archive/nxd-training/known_issues.rst"

    def compare(self, plan: CheckpointPlan, assessment: Assessment) -> Violations:
        if Shortfall.HOST_MEMORY not in assessment.shortfalls:
            return
        spec = plan.spec
        yield Violation(
            ("storage", "checkpoints", "mode"),
            f"mode is async: {async_memory(spec)} on each of {spec.nodes} nodes, which have "
            f"{spec.host_memory_gib:,} GiB of memory",
            "set mode: sync, or save from more nodes",
        )
