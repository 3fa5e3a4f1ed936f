from __future__ import annotations

from neuron_cluster.config.source_map import format_path
from neuron_cluster.findings.suggestions import did_you_mean_one_of
from neuron_cluster.findings.text import listed
from neuron_cluster.rules.base import Rule, RuleContext, Violation, Violations
from neuron_cluster.schedulers.slurm.section import SlurmInFile, with_queue_list


class UnknownGroupOfQueue(Rule):
    """Each queue names groups of `slurm.groups`, each once (`groups`).

    The login group runs no jobs: they would run beside the sessions of users.

    Without this check synthesis fails, or PCS rejects the queue with a ValidationException.
    """

    id = "E2106"
    source = "https://docs.aws.amazon.com/pcs/latest/userguide/"

    def check(self, context: RuleContext) -> Violations:
        for slurm in with_queue_list(context.environment):
            yield from _violations(slurm)


def _violations(slurm: SlurmInFile) -> Violations:
    known = [group.name for group in slurm.section.groups]
    for position, queue in enumerate(slurm.section.queues):
        for index, name in enumerate(queue.groups):
            path = (*slurm.path, "queues", position, "groups", index)
            if name in slurm.login_names:
                yield Violation(path, "the login group runs no jobs", f"remove {name}")
            elif name not in known:
                names = f"{format_path((*slurm.path, 'groups'))}: {listed(known, 'or')}"
                hint = f"{did_you_mean_one_of(name, known)}write names of {names}"
                yield Violation(path, f"{name} is not a group that runs jobs", hint)
            elif name in queue.groups[:index]:
                yield Violation(path, f"{name} is listed twice", "remove one of the two")
