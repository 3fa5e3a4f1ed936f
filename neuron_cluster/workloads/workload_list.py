"""Which workloads there are, what each needs, and where in an environment it could run."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from msgspec import Struct

from neuron_cluster.catalog.catalog import Catalog
from neuron_cluster.errors import InvalidEnvironment
from neuron_cluster.findings.text import listed as listed_names
from neuron_cluster.plan.cluster_plan import ClusterPlan
from neuron_cluster.plan.compute_group_plan import NO_LIMIT, ComputeGroupPlan
from neuron_cluster.plan.kubernetes_plan import KubernetesPlan
from neuron_cluster.table import Table
from neuron_cluster.workloads.bundled_chart import BundledChart
from neuron_cluster.workloads.group_selection import chip_of, group_findings, neuron_groups
from neuron_cluster.workloads.image_selection import front_ends_on
from neuron_cluster.workloads.installed_components import is_installed, serves_kinds_of
from neuron_cluster.workloads.options import WorkloadOptions
from neuron_cluster.workloads.recipe import ComponentNeed

RUNS_ON = " runs on "
"""Before the group, in the message of E9207."""


class MetNeed(Struct, frozen=True):
    """One need of a chart, and whether the environment meets it."""

    switch: str
    when: str
    is_met: bool


class MatchingGroup(Struct, frozen=True):
    """A node group that the chart runs on, and with which front ends."""

    group: str
    instance_type: str
    max_nodes: int | None
    """None: the group has no maximum."""
    front_ends: tuple[str, ...]
    requires: str | None = None
    """The option without which a job does not run on it, and what its value has to be."""


class ListedWorkload(Struct, frozen=True):
    """``why_not`` holds reasons where ``locations`` is empty."""

    chart: str
    description: str
    needs: tuple[MetNeed, ...]
    locations: tuple[MatchingGroup, ...]
    why_not: tuple[str, ...]


def listed_workload(chart: BundledChart, plan: ClusterPlan, catalog: Catalog) -> ListedWorkload:
    """One chart in one environment, before amounts are looked at."""
    recipe, cluster = chart.recipe, plan.kubernetes
    needs = tuple(_need_there(need, cluster, catalog) for need in recipe.needs)
    try:
        cluster, groups = neuron_groups(plan, recipe)
    except InvalidEnvironment as error:
        return ListedWorkload(chart.name, chart.description, needs, (), tuple(f.message for f in error.findings))
    reasons = {group.name: group_findings(group, plan, cluster, recipe, WorkloadOptions(), catalog) for group in groups}
    locations = tuple(
        MatchingGroup(
            group.name,
            group.machine.instance_type,
            group.scaling.maximum,
            tuple(front_ends_on(recipe, chip_of(group, catalog), plan.neuron_sdk, catalog)),
        )
        for group in groups
        if not reasons[group.name]
    )
    why_not = tuple(found.message for found in (each for of_group in reasons.values() for each in of_group))
    return ListedWorkload(chart.name, chart.description, needs, locations, () if locations else why_not)


def listed_job(
    name: str, description: str, groups: Sequence[tuple[ComputeGroupPlan, Sequence[str], str | None]]
) -> ListedWorkload:
    """A job of a provider.

    ``groups`` could run it, each with the reasons why it does not, and the option without which it does not.
    """
    locations = tuple(
        MatchingGroup(group.name, group.machine.instance_type, group.scaling.maximum, front_ends=(), requires=requires)
        for group, reasons, requires in groups
        if not reasons
    )
    why_not = () if locations else tuple(reason for _, reasons, _ in groups for reason in reasons)
    return ListedWorkload(name, f"job: {description}", (), locations, why_not)


def _need_there(need: ComponentNeed, cluster: KubernetesPlan | None, catalog: Catalog) -> MetNeed:
    """Of two switches that do, the one that is on; a need is met too where other software makes the same kinds."""
    for switch in (need.switch, need.instead):
        if switch is not None and cluster is not None and is_installed(cluster, switch):
            return MetNeed(switch, need.when, is_met=True)
    return MetNeed(
        need.switch, need.when, is_met=cluster is not None and serves_kinds_of(cluster, need.switch, catalog)
    )


def workloads_table(listed: Sequence[ListedWorkload], plan: ClusterPlan) -> Table:
    """For people: what is missing is marked, where a cluster could have it."""
    cluster = plan.kubernetes
    rows = tuple(
        (f"{each.chart}\n{each.description}", _needs(each) if cluster is not None else "", _places(each))
        for each in listed
    )
    note = f"Enable components that are OFF by their flag in {cluster.key('addons')}." if cluster is not None else ""
    return Table(f"Workloads for {plan.name}", ("workload", "needs", "runs on"), rows, note)


def workloads_as_data(listed: Sequence[ListedWorkload]) -> list[dict[str, Any]]:
    """The same for programs."""
    return [
        {
            "chart": each.chart,
            "description": each.description,
            "needs": [{"switch": need.switch, "when": need.when, "is_there": need.is_met} for need in each.needs],
            "node_groups": [
                {
                    "name": location.group,
                    "instance_type": location.instance_type,
                    "max_nodes": location.max_nodes,
                    "front_ends": list(location.front_ends),
                    "requires": location.requires,
                }
                for location in each.locations
            ],
            "why_not": list(each.why_not),
        }
        for each in listed
    ]


def _needs(listed: ListedWorkload) -> str:
    return "\n".join(f"{need.switch}: {'on' if need.is_met else f'OFF, needed {need.when}'}" for need in listed.needs)


def _places(listed: ListedWorkload) -> str:
    lines = [
        f"{location.group} ({location.instance_type}, {_limit(location)}): "
        f"{f'only with {location.requires}' if location.requires else ', '.join(location.front_ends)}".rstrip(": ")
        for location in listed.locations
    ]
    return "\n".join(lines or [f"nothing: {why}" for why in _folded(listed.why_not)])


def _folded(reasons: Sequence[str]) -> list[str]:
    """The reasons; those that differ in the group alone are one with all groups."""
    groups: dict[str, list[str]] = {}
    for reason in reasons:
        what, _, group = reason.partition(RUNS_ON)
        groups.setdefault(what, []).append(group)
    return [f"{what}{RUNS_ON if any(names) else ''}{listed_names(names)}" for what, names in groups.items()]


def _limit(location: MatchingGroup) -> str:
    return NO_LIMIT if location.max_nodes is None else f"up to {location.max_nodes}"
