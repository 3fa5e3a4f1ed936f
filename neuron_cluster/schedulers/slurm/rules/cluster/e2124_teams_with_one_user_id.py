from __future__ import annotations

from neuron_cluster.rules.base import Rule, RuleContext, Violation, Violations
from neuron_cluster.schedulers.slurm.posix_users import posix_id
from neuron_cluster.schedulers.slurm.section import has_slurm


class TeamsWithOneUserId(Rule):
    """The POSIX users of two teams have different ids on Slurm nodes (`teams[].name`).

    The id is a hash of the name between 20000 and 59999, so that it stays when other teams are added or removed.

    Without this check useradd rejects the second user on each node, and PCS terminates the nodes at their start.
    """

    id = "E2124"
    source = "the design of this toolkit: docs/slurm.md"

    def check(self, context: RuleContext) -> Violations:
        if not has_slurm(context.environment):
            return
        first: dict[int, tuple[int, str]] = {}
        for position, team in enumerate(context.environment.config.teams):
            other, name = first.setdefault(posix_id(team.name), (position, team.name))
            if name != team.name:
                yield Violation(
                    ("teams", position, "name"),
                    f"{team.name} and {name} have the same user id on Slurm nodes: {posix_id(name)}",
                    "give the team that has no files yet another name",
                    related=(("teams", other, "name"),),
                )
