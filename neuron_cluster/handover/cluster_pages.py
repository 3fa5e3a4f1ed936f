"""Pages of the clusters that a team uses in addition to Kubernetes, from their schedulers."""

from __future__ import annotations

from collections.abc import Mapping

from neuron_cluster.catalog.catalog import Catalog
from neuron_cluster.plan.cluster_plan import ClusterPlan
from neuron_cluster.plan.team import Team
from neuron_cluster.protocol.registry import provider_of
from neuron_cluster.protocol.team_pages import TeamPages


def cluster_pages(plan: ClusterPlan, team: Team, catalog: Catalog) -> Mapping[str, TeamPages]:
    """Pages by the key of the provider's section."""
    found = {
        str(part.path[0]): scheduler.team_pages(plan, team, catalog)
        for part in plan.providers
        for scheduler in provider_of(part).schedulers
        if part.has_scheduler(scheduler.name)
    }
    return {key: pages for key, pages in found.items() if pages is not None}
