from __future__ import annotations

from neuron_cluster.config.source_map import format_path
from neuron_cluster.rules.base import Rule, RuleContext, Violation, Violations
from neuron_cluster.rules.duplicate_names import duplicate_names, equal_logical_ids
from neuron_cluster.schedulers.slurm.section import with_queue_list


class QueueListedTwice(Rule):
    """Each queue has its own name, also without hyphens, and one at most is the default (`slurm.queues`).

    Without this check PCS rejects the second queue of a name with a ConflictException; CDK rejects two queues with one
    logical id; of two default queues Slurm uses the last one in its configuration.
    """

    id = "E2108"
    source = "https://slurm.schedmd.com/slurm.conf.html"
    proposes = ("default",)

    def check(self, context: RuleContext) -> Violations:
        for slurm in with_queue_list(context.environment):
            queues = [((*slurm.path, "queues", position), each) for position, each in enumerate(slurm.section.queues)]
            names = [(path, queue.name) for path, queue in queues]
            yield from duplicate_names(names)
            yield from equal_logical_ids(names)
            defaults = [path for path, queue in queues if queue.default]
            for path in defaults[1:]:
                message = f"{format_path(defaults[0])} is the default already"
                yield Violation((*path, "default"), message, "set default: false", related=(defaults[0],))
