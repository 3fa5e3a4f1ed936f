"""Decides what the picture of a plan shows."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from neuron_cluster.catalog.catalog import Catalog
from neuron_cluster.diagram.flows import flows_of
from neuron_cluster.diagram.group_cards import MOST_GROUPS, group_cards
from neuron_cluster.diagram.model import Area, Card, Kind, Picture
from neuron_cluster.diagram.network_areas import vpc_area
from neuron_cluster.diagram.storage_cards import replica_area, storage_area
from neuron_cluster.diagram.team_cards import teams_area
from neuron_cluster.findings.text import counted, listed
from neuron_cluster.plan.cluster_plan import ClusterPlan


def build_picture(plan: ClusterPlan, catalog: Catalog) -> Picture:
    """A function of the plan and the catalog alone: the same plan has the same picture."""
    region = Area(
        id="region",
        kind=Kind.REGION,
        title=plan.region,
        note=", ".join([f"account {plan.account}", *_budget(plan)]),
        items=(
            *_clusters(plan),
            vpc_area(plan, group_cards(plan, catalog)),
            *(area for area in (storage_area(plan),) if area is not None),
        ),
    )
    areas = tuple(area for area in (teams_area(plan), region, replica_area(plan)) if area is not None)
    cards = tuple(card for area in areas for card in area.cards)
    return Picture(
        title=f"{plan.name} in {plan.region}", text=_words(plan), areas=areas, flows=tuple(flows_of(plan, cards))
    )


def _budget(plan: ClusterPlan) -> Iterator[str]:
    if plan.budget is not None:
        yield f"budget {plan.budget.usd_month:,} USD a month"


def _clusters(plan: ClusterPlan) -> Iterator[Card]:
    for each in plan.providers:
        cluster = each.control_plane()
        if cluster is not None:
            identity = f"cluster-{each.key()}"
            yield Card(id=identity, kind=Kind.CLUSTER, label=cluster.label, title=cluster.title, lines=cluster.lines)


def _words(plan: ClusterPlan) -> str:
    """Returns the description for readers who do not see the picture."""
    zones = listed(zone.zone_id for zone in plan.network.zones)
    groups = counted(len(plan.compute_groups), "compute group")
    names = listed(f"{group.name} ({group.machine.instance_type})" for group in plan.compute_groups)
    if len(plan.compute_groups) > MOST_GROUPS:
        types = Counter(group.machine.instance_type for group in plan.compute_groups)
        names = listed(f"{number} of {name}" for name, number in types.items())
    teams = f" Teams: {listed(team.name for team in plan.teams)}." if plan.teams else ""
    return f"The Region {plan.region} has a VPC in the zones {zones} with {groups}: {names}.{teams}"
