from __future__ import annotations

from neuron_cluster.providers.pcs.config.cluster import Slurm
from neuron_cluster.rules.base import Rule, RuleContext, Violation, Violations
from neuron_cluster.rules.duplicate_names import duplicate_names


class QueueListedTwice(Rule):
    """Each queue has a name of its own, and one at most is the default (`slurm.queues`).

    Without this check PCS rejects the second queue of a name with a ConflictException; of two default queues Slurm uses
    the last one in its configuration.
    """

    id = "E2108"
    source = "https://slurm.schedmd.com/slurm.conf.html"
    proposes = ("default",)

    def check(self, context: RuleContext) -> Violations:
        slurm = context.environment.config.section(Slurm)
        if slurm is None:
            return
        queues = list(enumerate(slurm.queues))
        yield from duplicate_names((("slurm", "queues", position), queue.name) for position, queue in queues)
        defaults = [position for position, queue in queues if queue.default]
        for position in defaults[1:]:
            yield Violation(
                ("slurm", "queues", position, "default"),
                f"slurm.queues[{defaults[0]}] is the default already",
                "set default: false",
                related=(("slurm", "queues", defaults[0]),),
            )
