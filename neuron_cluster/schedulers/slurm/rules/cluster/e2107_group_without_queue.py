from __future__ import annotations

from neuron_cluster.findings.text import listed
from neuron_cluster.rules.base import Rule, RuleContext, Violation, Violations
from neuron_cluster.schedulers.slurm.section import with_queue_list


class GroupWithoutQueue(Rule):
    """Each group is in a queue (`groups` of `slurm.queues`).

    Without this check AWS reports no error: no job can start an instance of the group, and its minimum is billed.
    """

    id = "E2107"
    source = "https://docs.aws.amazon.com/pcs/latest/userguide/"

    def check(self, context: RuleContext) -> Violations:
        for slurm in with_queue_list(context.environment):
            queues = slurm.section.queues
            served = {name for queue in queues for name in queue.groups}
            for position, group in enumerate(slurm.section.groups):
                if group.name not in served:
                    yield Violation(
                        (*slurm.path, "groups", position, "name"),
                        f"no queue has the group {group.name}",
                        f"add {group.name} to groups of {listed((queue.name for queue in queues), 'or')}, "
                        "or remove the group",
                    )
