"""The objects of our own charts as a cluster gets them: rendered by the helm of its Kubernetes version."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from neuron_cluster.errors import ToolkitError

if TYPE_CHECKING:
    from neuron_cluster.catalog.catalog import Catalog
    from neuron_cluster.kube.helm import Helm
    from neuron_cluster.plan.addon_plan import ChartPlan
    from neuron_cluster.plan.cluster_plan import ClusterPlan, EksPlan
    from neuron_cluster.schedule.pod_shape import PodShape

Objects = tuple[Mapping[str, Any], ...]


def helm_of(eks: EksPlan, catalog: Catalog, project: Path) -> Helm:
    """The helm that CDK's kubectl function runs for this cluster, unpacked below ``.local/`` of the project once."""
    from neuron_cluster.kube.project_tools import project_helm

    version = catalog.kubernetes_version(eks.version)
    if version is None or version.kubectl_layer is None:  # rules E2001 and E2002 ran before
        raise ToolkitError(f"the catalog has no kubectl layer for Kubernetes {eks.version}")
    return project_helm(project, version.kubectl_layer.package)


def rendered_charts(eks: EksPlan, catalog: Catalog, project: Path) -> Iterator[tuple[ChartPlan, Objects]]:
    """Each chart of ours that the cluster gets, with its objects. Starts helm only when there is one.

    Helm tests are left out: nothing runs them when a chart is installed.
    """
    from neuron_cluster.kubernetes.objects import KubernetesObject

    own = [chart for chart in eks.charts if chart.folder is not None]
    helm = helm_of(eks, catalog, project) if own else None
    for chart in own:
        if helm is not None and chart.folder is not None:
            folder = project / "charts" / chart.folder
            objects = helm.template(folder, chart.release, chart.namespace, chart.values, eks.version)
            yield chart, tuple(each for each in objects if "test" not in KubernetesObject(each, chart.namespace).hooks)


def pods_of_software(plan: ClusterPlan, catalog: Catalog, project: str | None) -> list[tuple[str | None, PodShape]]:
    """Every pod of the cluster's software, with the source of those that are not recorded but read from objects.

    Our own objects and charts are rendered, and needed where the catalog says so; charts of others and add-ons are
    their recorded pods with the values of the plan. ``schedule`` and ``workload`` both take the free allocatable of
    nodes from these. ``project`` is the option; a project is required only where there is a chart of ours.
    """
    from neuron_cluster.schedule.pod_shape import pod_shapes_of_software

    recorded: list[tuple[str | None, PodShape]] = [(None, pod) for pod in pod_shapes_of_software(plan, catalog)]
    return [*recorded, *_own_pods(plan, catalog, project)]


def _own_pods(plan: ClusterPlan, catalog: Catalog, project: str | None) -> Iterator[tuple[str, PodShape]]:
    from msgspec.structs import replace

    from neuron_cluster.project import require_project
    from neuron_cluster.schedule.rendered_pods import pod_shapes

    if plan.eks is None:
        return
    for manifest in plan.eks.manifests:
        for pod in pod_shapes(manifest.objects):
            yield manifest.name, replace(pod, software=manifest.name)
    if all(chart.folder is None for chart in plan.eks.charts):
        return
    for chart, objects in rendered_charts(plan.eks, catalog, require_project(project).root):
        needs = {f"{s.kind} {s.namespace}/{s.workload}": s.needed_on for s in catalog.workload_shapes_of(chart.chart)}
        for pod in pod_shapes(objects, namespace=chart.namespace):
            yield f"charts/{chart.folder}", replace(pod, software=chart.chart, needed_on=needs.get(pod.workload))
