from __future__ import annotations

from neuron_cluster.config.team import Team
from neuron_cluster.findings.text import listed
from neuron_cluster.resolved.resolved_environment import ResolvedEnvironment
from neuron_cluster.rules.base import Rule, RuleContext, Violation, Violations


class BudgetWithoutSharedGroups(Rule):
    """The budget of a team counts every node group on which the team has a quota (`teams[].budget`).

    It counts what carries the tag `neuron-cluster:team`: instances of groups and workstations with the key `team`. An
    instance that several teams share has no such tag. File systems and buckets have none either. Rule W6519 is about
    capacity blocks.

    Without this check AWS reports no error: the budget is lower than what the team uses.
    """

    id = "W6515"
    source = "https://docs.aws.amazon.com/cost-management/latest/userguide/budgets-create-filters.html"
    proposes = ("team",)

    def check(self, context: RuleContext) -> Violations:
        for position, team in enumerate(context.environment.config.teams):
            counted = [group.name for group in context.environment.compute_groups if group.team == team.name]
            not_counted = _shared(team, context.environment)
            if team.budget is not None and counted and not_counted:
                yield Violation(
                    ("teams", position, "budget"),
                    f"the budget counts {listed(counted, 'and')}; the quota of {team.name} on "
                    f"{listed(not_counted, 'and')} is not counted, because the instances there are not of one team",
                    f"leave the cost of {listed(not_counted, 'and')} out of usd_month; or set `team: {team.name}` "
                    "there if no other team uses it",
                )


def _shared(team: Team, environment: ResolvedEnvironment) -> list[str]:
    """Node groups of its quota that do not carry its tag."""
    quota = {each.node_group for each in team.quota if each.devices}
    return [group.name for group in environment.cluster_groups if group.name in quota and group.team != team.name]
