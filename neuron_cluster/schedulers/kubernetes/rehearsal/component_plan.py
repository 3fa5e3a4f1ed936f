"""The rehearsal of a component of the cluster: a bundled chart that the environment installs, on its Neuron nodes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from local_kubernetes.model.objects import KubernetesObject
from neuron_cluster.errors import InvalidEnvironment
from neuron_cluster.findings.finding import Finding, Location
from neuron_cluster.plan.addon_plan import ChartPlan
from neuron_cluster.plan.kubernetes_plan import KubernetesPlan
from neuron_cluster.protocol.scheduler import Environment
from neuron_cluster.rehearsal.rehearsal_plan import NodeGroup, RehearsalPlan, Request
from neuron_cluster.schedulers.kubernetes.rehearsal.workload_plan import group_nodes
from neuron_cluster.schedulers.kubernetes.software.components.registry import BUNDLED_CHARTS
from neuron_cluster.schedulers.kubernetes.workloads.scheduling.evaluation import evaluate
from neuron_cluster.schedulers.kubernetes.workloads.scheduling.software_pods import rendered_charts, software_pods

COMPONENTS = {folder: flag for flag, folder in BUNDLED_CHARTS.items()}
"""The add-on flag of each chart that can be rehearsed as a component."""


def component_plan(opened: Environment, name: str, request: Request, limit_seconds: float) -> RehearsalPlan:
    """Returns the component as the environment installs it, next to its other software.

    Raises ``InvalidEnvironment`` with finding E9201 where the environment does not install it.
    """
    cluster = opened.plan.kubernetes
    if cluster is None:
        raise _not_installed(name, f"{opened.plan.name} has no cluster that {name} runs in", "use one with a cluster")
    chart, objects = _rendered(cluster, opened, name)
    groups = tuple(_groups(cluster, opened, chart, request))
    return RehearsalPlan(
        objects=tuple(body for body in objects if not KubernetesObject(body, "").hooks),
        namespace=chart.namespace,
        queue=None,
        groups=groups,
        trains=False,
        faults=request.faults,
        steps=request.steps,
        ranks=request.ranks,
        compile_seconds=request.compile_seconds,
        limit_seconds=limit_seconds,
        seconds=request.seconds,
        trainer=None,
    )


def _rendered(
    cluster: KubernetesPlan, opened: Environment, name: str
) -> tuple[ChartPlan, tuple[Mapping[str, Any], ...]]:
    for chart, objects in rendered_charts(cluster, opened.catalog, opened.project.root):
        if chart.folder == name:
            return chart, objects
    flag = cluster.key("addons", COMPONENTS[name])
    raise _not_installed(name, f"{opened.plan.name} does not install {name}", f"set {flag}: true in its file")


def _not_installed(name: str, message: str, hint: str) -> InvalidEnvironment:
    return InvalidEnvironment([Finding("E9201", Location(name), message, hint)])


def _groups(cluster: KubernetesPlan, opened: Environment, chart: ChartPlan, request: Request) -> Iterator[NodeGroup]:
    """Yields the groups with Neuron devices, without the requests of the other DaemonSets there."""
    pods = [pod for _, pod in software_pods(opened.plan, opened.catalog, str(opened.project.root))]
    evaluation = evaluate(opened.plan, opened.catalog, [pod for pod in pods if pod.software != chart.chart])
    for group in cluster.node_groups:
        node = evaluation.node_of(group.name)
        if node.is_neuron:
            yield group_nodes(node, request.nodes or max(node.desired_size, 1), group, opened.catalog)
