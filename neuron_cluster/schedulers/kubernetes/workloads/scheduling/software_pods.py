"""The pods of the cluster's software: recorded, or read from manifests of the plan and from rendered bundled charts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from local_kubernetes.model.objects import KubernetesObject
from local_kubernetes.model.scheduling.pod import PodInfo
from local_kubernetes.model.scheduling.pod_reader import pods_of
from neuron_cluster.catalog.catalog import Catalog
from neuron_cluster.kube.cluster_tools import helm_of
from neuron_cluster.plan.addon_plan import ChartPlan
from neuron_cluster.plan.cluster_plan import ClusterPlan
from neuron_cluster.plan.kubernetes_plan import KubernetesPlan
from neuron_cluster.project import require_project
from neuron_cluster.schedulers.kubernetes.software.recorded_pods import recorded_pods, required_nodes
from neuron_cluster.toolkit_files import CHARTS

Objects = tuple[Mapping[str, Any], ...]
SoftwarePod = tuple[str | None, PodInfo]
"""A pod and its source: a manifest or ``charts/NAME``, None for a recorded one."""


def software_pods(plan: ClusterPlan, catalog: Catalog, project: str | None) -> list[SoftwarePod]:
    """Every pod of the cluster's software.

    Manifests and bundled charts are rendered; their DaemonSets are required where the catalog has them as such. Other
    charts and add-ons are their recorded pods with the values of the plan. ``project`` is the option of that name; a
    project is required only where there is a bundled chart.
    """
    recorded: list[SoftwarePod] = [(None, pod) for pod in recorded_pods(plan, catalog)]
    return [*recorded, *_rendered_pods(plan, catalog, project)]


def _rendered_pods(plan: ClusterPlan, catalog: Catalog, project: str | None) -> Iterator[tuple[str, PodInfo]]:
    if plan.kubernetes is None:
        return
    for manifest in plan.kubernetes.manifests:
        for pod in pods_of(manifest.objects):
            yield manifest.name, replace(pod, software=manifest.name)
    if all(chart.folder is None for chart in plan.kubernetes.charts):
        return
    for chart, objects in rendered_charts(plan.kubernetes, catalog, require_project(project).root):
        needs = {
            f"{s.kind} {s.namespace}/{s.workload}": s.needed_on
            for s in catalog.workload_shapes.of_software(chart.chart)
        }
        for pod in pods_of(objects, namespace=chart.namespace):
            required_on = required_nodes(needs.get(pod.workload))
            yield f"charts/{chart.folder}", replace(pod, software=chart.chart, required_on=required_on)


def rendered_charts(cluster: KubernetesPlan, catalog: Catalog, project: Path) -> Iterator[tuple[ChartPlan, Objects]]:
    """Each bundled chart of the cluster's software with its objects, without Helm tests: no install runs them."""
    helm = helm_of(cluster, catalog, project)
    for chart in cluster.charts:
        if chart.folder is not None:
            folder = CHARTS / chart.folder
            objects = helm.template(folder, chart.release, chart.namespace, chart.values, cluster.version)
            yield chart, tuple(each for each in objects if "test" not in KubernetesObject(each, chart.namespace).hooks)
