"""Bundled charts as `workload list` shows them: what each needs, and where in an environment it could run."""

from __future__ import annotations

from neuron_cluster.catalog.catalog import Catalog
from neuron_cluster.errors import InvalidEnvironment
from neuron_cluster.plan.cluster_plan import ClusterPlan
from neuron_cluster.plan.kubernetes_plan import KubernetesPlan
from neuron_cluster.protocol.workload import ListedWorkload, MatchingGroup, MetNeed
from neuron_cluster.schedulers.kubernetes.workloads.bundled_chart import BundledChart
from neuron_cluster.schedulers.kubernetes.workloads.group_selection import chip_of, group_findings, neuron_groups
from neuron_cluster.schedulers.kubernetes.workloads.image_selection import front_ends_on
from neuron_cluster.schedulers.kubernetes.workloads.installed_components import is_installed, serves_kinds_of
from neuron_cluster.schedulers.kubernetes.workloads.options import WorkloadOptions
from neuron_cluster.schedulers.kubernetes.workloads.recipe import ComponentNeed


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


def _need_there(need: ComponentNeed, cluster: KubernetesPlan | None, catalog: Catalog) -> MetNeed:
    """Returns the need with the enabled one of two flags; other software that has the same kinds meets it too."""
    for switch in (need.switch, need.instead):
        if switch is not None and cluster is not None and is_installed(cluster, switch):
            return MetNeed(switch, need.when, is_met=True)
    return MetNeed(
        need.switch, need.when, is_met=cluster is not None and serves_kinds_of(cluster, need.switch, catalog)
    )
