"""The team that a command names."""

from __future__ import annotations

from neuron_cluster.errors import ToolkitError
from neuron_cluster.findings.suggestions import did_you_mean, suggestions
from neuron_cluster.plan.cluster_plan import ClusterPlan
from neuron_cluster.plan.kubernetes_plan import KubernetesPlan
from neuron_cluster.plan.team import Team


def named_team(plan: ClusterPlan, name: str) -> tuple[KubernetesPlan, Team]:
    """The cluster and the team of ``teams``. Raises ``ToolkitError`` where the environment has no such team."""
    cluster = plan.kubernetes
    if cluster is None:
        message = f"{plan.name} has no Kubernetes cluster, where teams have namespaces and quotas"
        raise ToolkitError(message, hint="name another environment")
    if not cluster.teams:
        hint = "add one to `teams` of its file (docs/teams.md), deploy, and run the command again"
        raise ToolkitError(f"{plan.name} has no teams", hint=hint)
    names = [team.name for team in cluster.teams]
    found = next((team for team in cluster.teams if team.name == name), None)
    if found is None:
        suggested = did_you_mean(suggestions(name, names))
        raise ToolkitError(f'{plan.name} has no team "{name}"', hint=f"{suggested}teams: {', '.join(names)}")
    return cluster, found
