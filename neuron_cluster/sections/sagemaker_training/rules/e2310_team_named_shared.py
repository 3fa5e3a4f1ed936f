from __future__ import annotations

from neuron_cluster.rules.base import Rule, RuleContext, Violation, Violations
from neuron_cluster.schedulers.sagemaker.sagemaker_plan import SHARED
from neuron_cluster.sections.sagemaker_training.jobs_in_file import jobs_in


class TeamNamedShared(Rule):
    """No team of a training job is called shared (`team`).

    The prefix of jobs without a team has this name.

    Without this check jobs without a team could read and delete the checkpoints of that team.
    """

    id = "E2310"
    source = "the design of this toolkit: a prefix of the checkpoint bucket for each team"

    def check(self, context: RuleContext) -> Violations:
        for position, team in enumerate(context.environment.config.teams):
            if team.name == SHARED and next(jobs_in(context.environment.config), None):
                yield Violation(
                    ("teams", position, "name"),
                    f"name is {SHARED}, the name of the prefix of training jobs without a team",
                    "give the team another name",
                )
        for path, job in jobs_in(context.environment.config):
            if job.team == SHARED:
                yield Violation(
                    (*path, "team"),
                    f"team is {SHARED}, the name of the prefix of jobs without a team",
                    "remove the key for a job without a team, or name another team",
                )
