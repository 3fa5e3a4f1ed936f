from __future__ import annotations

from neuron_cluster.resolved.checkpoints import candidate_groups
from neuron_cluster.rules.base import Rule, RuleContext, Violation, Violations


class CheckpointsWithoutNodes(Rule):
    """Checkpoints are planned for the nodes of a group with Neuron devices (`storage.checkpoints`).

    Without this check `plan` would leave the section out without a word: the time of a save and the failures of a
    training depend on its nodes.
    """

    id = "W4017"
    source = "https://docs.aws.amazon.com/fsx/latest/LustreGuide/performance.html"

    def check(self, context: RuleContext) -> Violations:
        storage = context.environment.config.storage
        if storage is None or storage.checkpoints is None or candidate_groups(context.environment):
            return
        if storage.checkpoints.group is None:  # else rule E4011
            yield Violation(
                ("storage", "checkpoints"),
                "no group has Neuron devices: checkpoints are not planned",
                "remove checkpoints, or add a Neuron node group",
            )
