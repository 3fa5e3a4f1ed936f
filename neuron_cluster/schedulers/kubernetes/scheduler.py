"""Kubernetes behind the protocol of schedulers: its workloads are bundled charts, which helm installs as releases."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from neuron_cluster.protocol.scheduler import Scheduler
from neuron_cluster.protocol.schedulers import register_scheduler
from neuron_cluster.schedulers.kubernetes.options import OPTIONS

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

    from neuron_cluster.catalog.catalog import Catalog
    from neuron_cluster.catalog.chip import Chip
    from neuron_cluster.lock.model import Lock
    from neuron_cluster.plan.cluster_plan import ClusterPlan
    from neuron_cluster.plan.team import Team
    from neuron_cluster.protocol.pod_schedule import PodSchedule, UserManifests
    from neuron_cluster.protocol.running_work import RunningList, RunningWork, Shown
    from neuron_cluster.protocol.scheduler import Environment
    from neuron_cluster.protocol.team_departure import TeamDeparture
    from neuron_cluster.protocol.team_pack import CommandPlace, Pack
    from neuron_cluster.protocol.workload import ListedWorkload, Placement, Rendered, Workload
    from neuron_cluster.rehearsal.rehearsal_plan import PlannedRehearsal, Request


class KubernetesScheduler(Scheduler):
    name = "kubernetes"
    kind = "chart"
    options = OPTIONS
    options_hint = "set values of the chart with --set or --values"
    rule_package = "neuron_cluster.schedulers.kubernetes.rules"
    places_pods = True
    verbs = frozenset({"render", "submit", "rehearse", "list", "status", "logs", "stop", "why"})

    def workloads(self) -> tuple[Workload, ...]:
        from neuron_cluster.protocol.workload import Workload
        from neuron_cluster.schedulers.kubernetes.workloads.recipes import RECIPES

        return tuple(
            Workload(name=name, fills_compile_cache=each.fills_compile_cache) for name, each in RECIPES.items()
        )

    def why_none(self, name: str) -> str | None:
        from neuron_cluster.schedulers.kubernetes.workloads.bundled_chart import why_none
        from neuron_cluster.toolkit_files import CHARTS

        return why_none(CHARTS, name)

    def listed(self, plan: ClusterPlan, catalog: Catalog) -> Sequence[ListedWorkload]:
        """All charts, in an environment without Kubernetes too."""
        from neuron_cluster.schedulers.kubernetes.workloads.bundled_chart import bundled_charts
        from neuron_cluster.schedulers.kubernetes.workloads.workload_list import listed_workload
        from neuron_cluster.toolkit_files import CHARTS

        return tuple(listed_workload(chart, plan, catalog) for chart in bundled_charts(CHARTS))

    def compiling_releases(self, chip: Chip, sdk: str, catalog: Catalog) -> Iterator[str]:
        from neuron_cluster.schedulers.kubernetes.workloads.image_selection import select_image
        from neuron_cluster.schedulers.kubernetes.workloads.recipes import RECIPES

        for recipe in RECIPES.values():
            for front_end in filter(recipe.uses_compile_cache, recipe.front_ends):
                image = select_image(recipe, chip, sdk, catalog, front_end=front_end)
                if image is not None and image.container is not None:
                    yield image.container.neuron_sdk

    def place(self, workload: Workload, environment: Environment, values: Mapping[str, Any]) -> Placement:
        from neuron_cluster.schedulers.kubernetes.charts import place_chart

        return place_chart(workload, environment, values)

    def render(self, placement: Placement) -> Rendered:
        from neuron_cluster.schedulers.kubernetes.charts import ChartPlacement, render_chart

        if not isinstance(placement, ChartPlacement):
            raise TypeError(f"{placement.workload.name} was not placed by Kubernetes")
        return render_chart(placement)

    def schedule(
        self,
        plan: ClusterPlan,
        lock: Lock | None,
        catalog: Catalog,
        manifests: UserManifests | None,
        project: str | None,
    ) -> PodSchedule:
        from neuron_cluster.schedulers.kubernetes.workloads.scheduling.evaluation import schedule_of
        from neuron_cluster.schedulers.kubernetes.workloads.scheduling.software_pods import software_pods
        from neuron_cluster.schedulers.kubernetes.workloads.scheduling.user_pods import user_pods

        user = user_pods(manifests.name, manifests.files) if manifests is not None else None
        digests = lock.images if lock is not None else {}
        return schedule_of(plan, catalog, software_pods(plan, catalog, project), user, digests)

    def rehearsal(
        self, environment: Environment, name: str, values: Mapping[str, Any], request: Request
    ) -> PlannedRehearsal:
        from neuron_cluster.schedulers.kubernetes.rehearsal.planned import planned_rehearsal

        return planned_rehearsal(environment, name, values, request)

    def why_rehearsed(self, file: Path) -> Shown:
        from neuron_cluster.schedulers.kubernetes.rehearsal.planned import why_rehearsed

        return why_rehearsed(file)

    def team_pack(
        self, environment: Environment, team: Team, catalog: Catalog, place: CommandPlace, others: Mapping[str, str]
    ) -> Pack | None:
        from neuron_cluster.schedulers.kubernetes.team_pages.pack import build_kubernetes_pack

        cluster = environment.plan.kubernetes
        return None if cluster is None else build_kubernetes_pack(environment, cluster, team, catalog, place, others)

    def team_departure(self, plan: ClusterPlan, team: Team, catalog: Catalog, environment: str) -> TeamDeparture | None:
        from neuron_cluster.schedulers.kubernetes.team_pages.departure import kubernetes_departure

        cluster = plan.kubernetes
        return None if cluster is None else kubernetes_departure(plan, cluster, team, catalog, environment)

    def running(self, environment: Environment, name: str, values: Mapping[str, Any]) -> RunningWork:
        from neuron_cluster.schedulers.kubernetes.running.running_release import open_release

        return open_release(environment, name, values)

    def running_list(self, environment: Environment, values: Mapping[str, Any]) -> RunningList:
        from neuron_cluster.schedulers.kubernetes.running.running_releases import list_releases

        return list_releases(environment, values)


KUBERNETES = KubernetesScheduler()
register_scheduler(KUBERNETES)
