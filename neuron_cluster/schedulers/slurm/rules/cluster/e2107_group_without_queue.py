from __future__ import annotations

from neuron_cluster.findings.text import listed
from neuron_cluster.providers.pcs.config.cluster import Slurm
from neuron_cluster.rules.base import Rule, RuleContext, Violation, Violations


class GroupWithoutQueue(Rule):
    """Each group is in a queue (`groups` of `slurm.queues`).

    Without this check AWS reports no error: no job can start an instance of the group, and its minimum is billed.
    """

    id = "E2107"
    source = "https://docs.aws.amazon.com/pcs/latest/userguide/"

    def check(self, context: RuleContext) -> Violations:
        slurm = context.environment.config.section(Slurm)
        if slurm is None:
            return
        served = {name for queue in slurm.queues for name in queue.groups}
        for position, group in enumerate(slurm.groups):
            if group.name not in served:
                queues = listed((queue.name for queue in slurm.queues), "or")
                yield Violation(
                    ("slurm", "groups", position, "name"),
                    f"no queue has the group {group.name}",
                    f"add {group.name} to groups of {queues}, or remove the group",
                )
