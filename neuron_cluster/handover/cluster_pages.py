"""Pages of the clusters that a team uses beside Kubernetes, from their providers."""

from __future__ import annotations

from collections.abc import Mapping

from neuron_cluster.catalog.catalog import Catalog
from neuron_cluster.plan.cluster_plan import ClusterPlan
from neuron_cluster.plan.team import Team
from neuron_cluster.protocol.registry import registered
from neuron_cluster.protocol.team_pages import TeamPages


def cluster_pages(plan: ClusterPlan, team: Team, catalog: Catalog) -> Mapping[str, TeamPages]:
    """By the key of their section."""
    found = {each.section.key: each.team_pages(plan, team, catalog) for each in registered()}
    return {key: pages for key, pages in found.items() if pages is not None}
