from __future__ import annotations

from neuron_cluster.catalog.limit import limit
from neuron_cluster.checkpoints.assessment import Assessment, Shortfall
from neuron_cluster.checkpoints.plan_checkpoints import CheckpointPlan
from neuron_cluster.checkpoints.spec import SaveMode
from neuron_cluster.rules.base import Violation, Violations
from neuron_cluster.rules.checkpoint_hints import async_memory
from neuron_cluster.rules.checkpoint_rule import CheckpointRule


class CheckpointNearHostMemory(CheckpointRule):
    """Asynchronous saves leave a part of the memory of the nodes free (`storage.checkpoints.mode`).

    That is a fifth of the memory. Data loaders, the page cache and the runtime use it; for dcp and orbax no source has
    what the training uses, and the copies alone are counted.

    In doubt: AWS recommends twice the nodes for an example that takes 94 % of the memory, and has no share.

    Without this check AWS reports no error. A larger batch or a slow save ends with the out-of-memory killer.
    """

    id = "W4120"
    source = "https://github.com/aws-neuron/aws-neuron-sdk/blob/81ce03a/archive/nxd-training/known_issues.rst"

    def compare(self, plan: CheckpointPlan, assessment: Assessment) -> Violations:
        spec = plan.spec
        if spec.mode is not SaveMode.ASYNC or spec.host_memory_gib is None:
            return
        if Shortfall.HOST_MEMORY in assessment.shortfalls:
            return
        share, most = (
            spec.async_memory_gib / spec.host_memory_gib,
            limit("host_memory_of_async_saves").require_maximum(),
        )
        if share * 100 <= most:
            return
        yield Violation(
            ("storage", "checkpoints", "mode"),
            f"mode is async: {async_memory(spec)} on each of {spec.nodes} nodes, {share:.0%} of "
            f"{spec.host_memory_gib:,} GiB of memory; at most {most}% is recommended",
            "set mode: sync, or save from more nodes",
        )
