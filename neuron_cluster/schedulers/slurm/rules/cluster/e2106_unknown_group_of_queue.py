from __future__ import annotations

from neuron_cluster.findings.suggestions import did_you_mean_one_of
from neuron_cluster.findings.text import listed
from neuron_cluster.providers.pcs.config.cluster import Slurm
from neuron_cluster.providers.pcs.groups import LOGIN
from neuron_cluster.rules.base import Rule, RuleContext, Violation, Violations


class UnknownGroupOfQueue(Rule):
    """Each queue names groups of `slurm.groups`, each once (`groups`).

    The login group runs no jobs: they would run beside the sessions of users.

    Without this check synthesis fails, or PCS rejects the queue with a ValidationException.
    """

    id = "E2106"
    source = "https://docs.aws.amazon.com/pcs/latest/userguide/"

    def check(self, context: RuleContext) -> Violations:
        slurm = context.environment.config.section(Slurm)
        if slurm is None:
            return
        known = [group.name for group in slurm.groups]
        for position, queue in enumerate(slurm.queues):
            for index, name in enumerate(queue.groups):
                path = ("slurm", "queues", position, "groups", index)
                if name == LOGIN:
                    yield Violation(path, "the login group runs no jobs", f"remove {LOGIN}")
                elif name not in known:
                    hint = f"{did_you_mean_one_of(name, known)}write names of slurm.groups: {listed(known, 'or')}"
                    yield Violation(path, f"{name} is not a group that runs jobs", hint)
                elif name in queue.groups[:index]:
                    yield Violation(path, f"{name} is listed twice", "remove one of the two")
