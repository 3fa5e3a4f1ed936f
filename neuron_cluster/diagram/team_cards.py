"""Cards of teams: quotas, namespaces, people."""

from __future__ import annotations

from neuron_cluster.diagram.model import Area, Card, Kind
from neuron_cluster.findings.text import counted
from neuron_cluster.plan.cluster_plan import ClusterPlan
from neuron_cluster.plan.team import Team


def team_id(name: str) -> str:
    return f"team-{name}"


def teams_area(plan: ClusterPlan) -> Area | None:
    """None without teams."""
    cards = tuple(_card(team, plan) for team in plan.teams)
    return Area(id="teams", kind=Kind.TEAMS, title="Teams", items=cards) if cards else None


def _card(team: Team, plan: ClusterPlan) -> Card:
    lines = [f"{counted(each.devices, 'Neuron device')} of {each.node_group}" for each in team.quota]
    spaces = "namespace" if len(team.namespaces) == 1 else "namespaces"
    lines += [f"{spaces} {', '.join(team.namespaces)}"] if team.namespaces else []
    lines += [counted(len(team.members), "member role")] if team.members else []
    lines += (line for each in plan.providers for line in each.team_lines(team.name))
    lines += [f"budget {team.budget.usd_month:,} USD a month"] if team.budget is not None else []
    return Card(id=team_id(team.name), kind=Kind.TEAM, title=team.name, lines=tuple(lines))
