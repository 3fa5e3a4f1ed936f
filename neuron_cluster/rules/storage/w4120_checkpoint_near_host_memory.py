from __future__ import annotations

from neuron_cluster.checkpoints.assessment import Shortfall
from neuron_cluster.checkpoints.spec import SaveMode
from neuron_cluster.plan.checkpoint_storage import checkpoint_storage
from neuron_cluster.rules.base import Needs, Rule, RuleContext, Violation, Violations
from neuron_cluster.rules.checkpoint_hints import async_memory


class CheckpointNearHostMemory(Rule):
    """Asynchronous saves leave a part of the memory of the nodes free (`storage.checkpoints.mode`).

    That is a fifth of the memory. Data loaders, the page cache and the runtime use it; for dcp and orbax no source has
    what the training uses, and the copies alone are counted.

    In doubt: AWS recommends twice the nodes for an example that takes 94 % of the memory, and has no share.

    Without this check AWS reports no error. A larger batch or a slow save ends with the out-of-memory killer.
    """

    id = "W4120"
    source = "https://github.com/aws-neuron/aws-neuron-sdk/blob/81ce03a/archive/nxd-training/known_issues.rst"
    needs = Needs.PLAN

    def check(self, context: RuleContext) -> Violations:
        found = checkpoint_storage(context.plan.storage, context.plan.region, context.catalog)
        if found is None or found.given is None or Shortfall.HOST_MEMORY in found.given.assessment.shortfalls:
            return
        spec = found.spec
        if spec.mode is not SaveMode.ASYNC or spec.host_memory_gib is None:
            return
        share = spec.async_memory_gib / spec.host_memory_gib
        most = context.catalog.limits["host_memory_of_async_saves"].require_maximum()
        if share * 100 <= most:
            return
        yield Violation(
            ("storage", "checkpoints", "mode"),
            f"mode is async: {async_memory(spec)} on each of {spec.nodes} nodes, {share:.0%} of "
            f"{spec.host_memory_gib:,} GiB of memory; at most {most}% is recommended",
            "set mode: sync, or save from more nodes",
        )
