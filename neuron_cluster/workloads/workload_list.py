"""Which workloads there are, what each needs, and where in an environment it could run."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from msgspec import Struct

from neuron_cluster.catalog.catalog import Catalog
from neuron_cluster.errors import InvalidEnvironment
from neuron_cluster.plan.cluster_plan import ClusterPlan, EksPlan
from neuron_cluster.table import Table
from neuron_cluster.workloads.bundled_chart import BundledChart
from neuron_cluster.workloads.chip_of_group import chip_of
from neuron_cluster.workloads.group_choice import against, neuron_groups
from neuron_cluster.workloads.image_choice import front_ends_on
from neuron_cluster.workloads.options import WorkloadOptions
from neuron_cluster.workloads.recipe import SoftwareNeed
from neuron_cluster.workloads.software_there import has_kinds_of, has_software


class NeedThere(Struct, frozen=True):
    """One need of a chart, and whether the environment meets it."""

    switch: str
    when: str
    is_met: bool


class PlaceToRun(Struct, frozen=True):
    """A node group that the chart runs on, and with which front ends."""

    group: str
    instance_type: str
    max_nodes: int
    front_ends: tuple[str, ...]


class ListedWorkload(Struct, frozen=True):
    """``why_not`` holds reasons where ``places`` is empty."""

    chart: str
    description: str
    needs: tuple[NeedThere, ...]
    places: tuple[PlaceToRun, ...]
    why_not: tuple[str, ...]


def listed_workload(chart: BundledChart, plan: ClusterPlan, catalog: Catalog) -> ListedWorkload:
    """One chart in one environment, before amounts are looked at."""
    recipe, eks = chart.recipe, plan.eks
    needs = tuple(_need_there(need, eks, catalog) for need in recipe.needs)
    try:
        cluster, groups = neuron_groups(plan, recipe)
    except InvalidEnvironment as refusal:
        return ListedWorkload(chart.name, chart.description, needs, (), tuple(f.message for f in refusal.findings))
    reasons = {group.name: against(group, plan, cluster, recipe, WorkloadOptions(), catalog) for group in groups}
    places = tuple(
        PlaceToRun(
            group.name,
            group.machine.instance_type,
            group.max,
            tuple(front_ends_on(recipe, chip_of(group, catalog), plan.neuron_sdk, catalog)),
        )
        for group in groups
        if not reasons[group.name]
    )
    why_not = tuple(found.message for found in (each for of_group in reasons.values() for each in of_group))
    return ListedWorkload(chart.name, chart.description, needs, places, () if places else why_not)


def _need_there(need: SoftwareNeed, eks: EksPlan | None, catalog: Catalog) -> NeedThere:
    """Of two switches that do, the one that is on; a need is met too where other software makes the same kinds."""
    for switch in (need.switch, need.instead):
        if switch is not None and eks is not None and has_software(eks, switch):
            return NeedThere(switch, need.when, is_met=True)
    return NeedThere(need.switch, need.when, is_met=eks is not None and has_kinds_of(eks, need.switch, catalog))


def workloads_table(listed: Sequence[ListedWorkload], environment: str) -> Table:
    """For people: what is missing is marked."""
    rows = tuple((f"{each.chart}\n{each.description}", _needs(each), _places(each)) for each in listed)
    note = "What is OFF is turned on by its switch below eks.addons."
    return Table(f"Workloads for {environment}", ("chart", "needs", "runs on"), rows, note)


def workloads_as_data(listed: Sequence[ListedWorkload]) -> list[dict[str, Any]]:
    """The same for programs."""
    return [
        {
            "chart": each.chart,
            "description": each.description,
            "needs": [{"switch": need.switch, "when": need.when, "is_there": need.is_met} for need in each.needs],
            "node_groups": [
                {
                    "name": place.group,
                    "instance_type": place.instance_type,
                    "max_nodes": place.max_nodes,
                    "front_ends": list(place.front_ends),
                }
                for place in each.places
            ],
            "why_not": list(each.why_not),
        }
        for each in listed
    ]


def _needs(listed: ListedWorkload) -> str:
    return "\n".join(f"{need.switch}: {'on' if need.is_met else f'OFF, needed {need.when}'}" for need in listed.needs)


def _places(listed: ListedWorkload) -> str:
    lines = [
        f"{place.group} ({place.instance_type}, up to {place.max_nodes}): {', '.join(place.front_ends)}"
        for place in listed.places
    ]
    return "\n".join(lines or [f"nothing: {why}" for why in listed.why_not])
