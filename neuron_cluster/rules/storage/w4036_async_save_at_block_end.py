from __future__ import annotations

from neuron_cluster.config.checkpoints import CheckpointMode
from neuron_cluster.resolved.checkpoints import checkpoint_group
from neuron_cluster.rules.base import Rule, RuleContext, Violation, Violations

FRAMEWORKS = ("nxd", "nxd_xser")


class AsyncSaveAtBlockEnd(Rule):
    """NxD saves synchronously in a capacity block (`storage.checkpoints.mode`).

    NxD marks an asynchronous checkpoint as complete (`done`) when the next save begins, or the process ends in good
    order. EC2 terminates the instances of a capacity block at a fixed time.

    Without this check AWS reports no error. A process that is killed leaves its newest checkpoint unmarked: up to two
    intervals of steps are computed again.
    """

    id = "W4036"
    source = (
        "https://github.com/aws-neuron/neuronx-distributed/blob/fbac349/src/neuronx_distributed/trainer/checkpoint.py"
    )
    proposes = ("mode",)

    def check(self, context: RuleContext) -> Violations:
        storage = context.environment.config.storage
        section = storage.checkpoints if storage is not None else None
        if section is None or section.mode is not CheckpointMode.ASYNC or section.framework.value not in FRAMEWORKS:
            return
        group = checkpoint_group(context.environment, section)
        if group is not None and group.block is not None:
            yield Violation(
                ("storage", "checkpoints", "mode"),
                f"mode is async with {section.framework.value}, and the capacity block of {group.name} ends at a fixed "
                "time: without a closing save two intervals are lost there",
                "write mode: sync; or end the training before the block, as a process that ends marks its last save",
            )
