from __future__ import annotations

from neuron_cluster.rules.base import Rule, RuleContext, Violation, Violations
from neuron_cluster.schedulers.slurm.posix_users import LONGEST_NAME, PREFIX, posix_name
from neuron_cluster.schedulers.slurm.section import has_slurm


class TeamNameTooLong(Rule):
    """The POSIX user of a team has at most 32 characters on Slurm nodes (`teams[].name`).

    The user is `team-` and the name of the team.

    Without this check useradd rejects the user on each node, and PCS terminates the nodes at their start.
    """

    id = "E2123"
    source = "https://man7.org/linux/man-pages/man8/useradd.8.html (usernames have up to 32 characters)"

    def check(self, context: RuleContext) -> Violations:
        if not has_slurm(context.environment):
            return
        for position, team in enumerate(context.environment.config.teams):
            name = posix_name(team.name)
            if len(name) > LONGEST_NAME:
                yield Violation(
                    ("teams", position, "name"),
                    f"{name}, the user of the team on Slurm nodes, has {len(name)} characters of {LONGEST_NAME}",
                    f"use a name of at most {LONGEST_NAME - len(PREFIX)} characters",
                )
