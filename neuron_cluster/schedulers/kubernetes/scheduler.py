"""Kubernetes behind the protocol of schedulers: its workloads are bundled charts, which helm installs as releases."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from neuron_cluster.protocol.scheduler import Scheduler
from neuron_cluster.protocol.schedulers import register_scheduler
from neuron_cluster.schedulers.kubernetes.options import OPTIONS

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from neuron_cluster.catalog.catalog import Catalog
    from neuron_cluster.plan.cluster_plan import ClusterPlan
    from neuron_cluster.protocol.running_work import RunningList, RunningWork, Shown
    from neuron_cluster.protocol.scheduler import Environment
    from neuron_cluster.protocol.workload import ListedWorkload, Placement, Rendered, Workload
    from neuron_cluster.rehearsal.rehearsal_plan import PlannedRehearsal, Request


class KubernetesScheduler(Scheduler):
    name = "kubernetes"
    kind = "chart"
    options = OPTIONS
    options_hint = "set values of the chart with --set or --values"
    verbs = frozenset({"render", "submit", "rehearse", "list", "status", "logs", "stop", "why"})

    def workloads(self) -> tuple[Workload, ...]:
        from neuron_cluster.protocol.workload import Workload
        from neuron_cluster.workloads.recipes import RECIPES

        return tuple(
            Workload(name=name, fills_compile_cache=each.fills_compile_cache) for name, each in RECIPES.items()
        )

    def why_none(self, name: str) -> str | None:
        from neuron_cluster.toolkit_files import CHARTS
        from neuron_cluster.workloads.bundled_chart import why_none

        return why_none(CHARTS, name)

    def listed(self, plan: ClusterPlan, catalog: Catalog) -> Sequence[ListedWorkload]:
        """All charts, in an environment without Kubernetes too."""
        from neuron_cluster.toolkit_files import CHARTS
        from neuron_cluster.workloads.bundled_chart import bundled_charts
        from neuron_cluster.workloads.workload_list import listed_workload

        return tuple(listed_workload(chart, plan, catalog) for chart in bundled_charts(CHARTS))

    def place(self, workload: Workload, environment: Environment, values: Mapping[str, Any]) -> Placement:
        from neuron_cluster.schedulers.kubernetes.charts import place_chart

        return place_chart(workload, environment, values)

    def render(self, placement: Placement) -> Rendered:
        from neuron_cluster.schedulers.kubernetes.charts import ChartPlacement, render_chart

        if not isinstance(placement, ChartPlacement):
            raise TypeError(f"{placement.workload.name} was not placed by Kubernetes")
        return render_chart(placement)

    def rehearsal(
        self, environment: Environment, name: str, values: Mapping[str, Any], request: Request
    ) -> PlannedRehearsal:
        from neuron_cluster.schedulers.kubernetes.rehearsal.planned import planned_rehearsal

        return planned_rehearsal(environment, name, values, request)

    def why_rehearsed(self, file: Path) -> Shown:
        from neuron_cluster.schedulers.kubernetes.rehearsal.planned import why_rehearsed

        return why_rehearsed(file)

    def running(self, environment: Environment, name: str, values: Mapping[str, Any]) -> RunningWork:
        from neuron_cluster.schedulers.kubernetes.running_release import open_release

        return open_release(environment, name, values)

    def running_list(self, environment: Environment, values: Mapping[str, Any]) -> RunningList:
        from neuron_cluster.schedulers.kubernetes.running_releases import list_releases

        return list_releases(environment, values)


KUBERNETES = KubernetesScheduler()
register_scheduler(KUBERNETES)
