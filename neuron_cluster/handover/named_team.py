"""The team that a command names."""

from __future__ import annotations

from neuron_cluster.errors import ToolkitError
from neuron_cluster.findings.suggestions import did_you_mean_one_of
from neuron_cluster.plan.cluster_plan import ClusterPlan
from neuron_cluster.plan.team import Team, declared_teams


def named_team(plan: ClusterPlan, name: str) -> Team:
    """The team of ``teams``. Raises ``ToolkitError`` where the environment has no such team."""
    if not plan.providers:
        raise ToolkitError(f"{plan.name} has no cluster that teams share", hint="name another environment")
    teams = declared_teams(plan)
    if not teams:
        hint = "add one to `teams` of its file (docs/teams.md), deploy, and run the command again"
        raise ToolkitError(f"{plan.name} has no teams", hint=hint)
    names = [team.name for team in teams]
    found = next((team for team in teams if team.name == name), None)
    if found is None:
        suggested = did_you_mean_one_of(name, names)
        raise ToolkitError(f'{plan.name} has no team "{name}"', hint=f"{suggested}teams: {', '.join(names)}")
    return found
