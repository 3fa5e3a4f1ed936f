"""The pods of the cluster's software, as the catalog records them, with the values that the plan sets."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from local_kubernetes.model.scheduling.pod import PodInfo, RequiredNodes
from neuron_cluster.catalog.workload_shape import NodeNeed, WorkloadShape
from neuron_cluster.schedulers.kubernetes.software.shaped_workload import UnreadableValue, is_made, shaped_workload

if TYPE_CHECKING:
    from neuron_cluster.catalog.catalog import Catalog
    from neuron_cluster.plan.cluster_plan import ClusterPlan


def recorded_pods(plan: ClusterPlan, catalog: Catalog) -> tuple[PodInfo, ...]:
    """The pods of the plan's add-ons and charts. Bundled charts are not among them: they are rendered. Nor is software
    whose pods the catalog does not record."""
    return tuple(_pod(shape) for shape in recorded_workloads(plan, catalog))


def recorded_pods_of_bundled_charts(plan: ClusterPlan, catalog: Catalog) -> tuple[PodInfo, ...]:
    """The pods of bundled charts that replace a published manifest, as recorded of it: rules render nothing."""
    return tuple(
        _pod(_with_values(shape, chart.values))
        for chart in plan.charts
        if chart.folder is not None
        for shape in catalog.workload_shapes.of_software(chart.chart)
    )


def recorded_workloads(plan: ClusterPlan, catalog: Catalog) -> Iterator[WorkloadShape]:
    """The same as rows of the catalog. Where Kubernetes cannot read the values (rule E5042), as recorded."""
    for values, shape in workloads_and_values(plan, catalog):
        yield _with_values(shape, values)


def workloads_and_values(plan: ClusterPlan, catalog: Catalog) -> Iterator[tuple[Mapping[str, Any], WorkloadShape]]:
    """The workloads that each add-on and chart creates with its values, as recorded, and these values."""
    charts = [(chart.chart, chart.values) for chart in plan.charts if chart.folder is None]
    for software, values in (*((addon.name, addon.configuration) for addon in plan.addons), *charts):
        shapes = catalog.workload_shapes.of_software(software)
        chart = catalog.charts.get(software) if any(shape.when for shape in shapes) else None
        yield from ((values, shape) for shape in shapes if is_made(shape, chart, values))


def required_nodes(need: NodeNeed | None) -> RequiredNodes | None:
    """The catalog's row in the form of the scheduler's evaluation."""
    return RequiredNodes(need.nodes, need.without, frozenset(need.not_on.items())) if need is not None else None


def _with_values(shape: WorkloadShape, values: Mapping[str, Any]) -> WorkloadShape:
    try:
        return shaped_workload(shape, values)
    except UnreadableValue:
        return shape


def _pod(shape: WorkloadShape) -> PodInfo:
    amounts = {"cpu": shape.requests.cpu_millicores, "memory": shape.requests.memory_bytes}
    requests = {name: amount for name, amount in amounts.items() if amount is not None}
    return PodInfo(
        workload=f"{shape.kind} {shape.namespace}/{shape.workload}",
        kind=shape.kind,
        node_selector=shape.node_selector,
        affinity=tuple(term.match_expressions for term in shape.node_affinity),
        tolerations=shape.tolerations,
        requests={**requests, **shape.requests.extended, "pods": 1},
        replicas=shape.replicas,
        software=shape.software,
        required_on=required_nodes(shape.needed_on),
        device_class=shape.device_class,
        scheduler=shape.scheduler_name or "",
    )
