from __future__ import annotations

from neuron_cluster.findings.text import listed
from neuron_cluster.resolved.checkpoints import candidate_groups, checkpoint_group
from neuron_cluster.rules.base import Rule, RuleContext, Violation, Violations


class CheckpointGroup(Rule):
    """The group that saves checkpoints is one with Neuron devices (`storage.checkpoints.group`).

    Without this check checkpoints are not planned: their size for each node, the time of a save and the failures of
    the training all depend on the number and type of the nodes.
    """

    id = "E4011"
    source = "https://awsdocs-neuron.readthedocs-hosted.com/en/latest/libraries/neuronx-distributed/api-reference-guide-training.html"
    proposes = ("group",)

    def check(self, context: RuleContext) -> Violations:
        storage = context.environment.config.storage
        section = storage.checkpoints if storage is not None else None
        if section is None or section.group is None or checkpoint_group(context.environment, section) is not None:
            return
        names = [group.name for group in candidate_groups(context.environment)]
        yield Violation(
            ("storage", "checkpoints", "group"),
            f"{section.group} is not a group with Neuron devices",
            f"set group: {listed(names, 'or')}" if names else "remove checkpoints, or add a Neuron node group",
        )
