"""What the pods of one workload look like to the scheduler: where they may run, and what they ask for."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from neuron_cluster.catalog.chart import Toleration
from neuron_cluster.catalog.workload_shape import NodeNeed, NodeRequirement, WorkloadShape
from neuron_cluster.schedule.device_claim import DeviceClaim
from neuron_cluster.software.shaped_workload import UnreadableValue, is_made, shaped_workload

if TYPE_CHECKING:
    from neuron_cluster.catalog.catalog import Catalog
    from neuron_cluster.plan.cluster_plan import ClusterPlan

Requirement = NodeRequirement
"""``key``, ``operator`` and ``values`` of one expression, in Kubernetes' words."""


class PodShape(Struct, frozen=True):
    """``workload`` is ``DaemonSet kube-system/aws-node``; of several templates in one object, the path of this one
    stands behind it.

    ``affinity`` are the terms that the scheduler insists on: one of them must hold, with all its requirements.
    ``requests`` are in the units of ``NodeShape.allocatable``, ``pods: 1`` among them. ``replicas`` is None for what
    runs once on every node that fits.
    """

    workload: str
    kind: str
    node_selector: Mapping[str, str]
    affinity: tuple[tuple[Requirement, ...], ...]
    tolerations: tuple[Toleration, ...]
    requests: Mapping[str, int]
    replicas: int | None
    software: str = ""
    """The chart, add-on or manifest that makes it; empty for a workload of the user's."""
    needed_on: NodeNeed | None = None
    """Where it must run; None: nothing says so."""
    claims: tuple[DeviceClaim, ...] = ()
    """Devices that it asks for by resource claims (DRA)."""
    device_class: str | None = None
    """The class of the Neuron devices that this DaemonSet publishes, if it is a DRA driver."""
    scheduler: str = ""
    """The scheduler that it names; empty for the control plane's own."""


def pod_shapes_of_software(plan: ClusterPlan, catalog: Catalog) -> tuple[PodShape, ...]:
    """The recorded workloads of the plan's add-ons and charts, with the values that the plan gives to them.

    Our own charts are left out: they are rendered. So is software of which the catalog has no shape.
    """
    return tuple(of_shape(shape) for shape in shapes_of_software(plan, catalog))


def pod_shapes_of_own_charts(plan: ClusterPlan, catalog: Catalog) -> tuple[PodShape, ...]:
    """Those of our charts that take the place of a published manifest, as recorded of it, for rules: these render
    nothing."""
    own = [chart for chart in plan.eks.charts if chart.folder is not None] if plan.eks is not None else []
    return tuple(
        of_shape(_with_values(shape, chart.values))
        for chart in own
        for shape in catalog.workload_shapes_of(chart.chart)
    )


def shapes_of_software(plan: ClusterPlan, catalog: Catalog) -> Iterator[WorkloadShape]:
    """The same as rows of the catalog. Where Kubernetes cannot read the values (rule E5042), as it was recorded."""
    for values, shape in made_by_software(plan, catalog):
        yield _with_values(shape, values)


def _with_values(shape: WorkloadShape, values: Mapping[str, Any]) -> WorkloadShape:
    try:
        return shaped_workload(shape, values)
    except UnreadableValue:
        return shape


def made_by_software(plan: ClusterPlan, catalog: Catalog) -> Iterator[tuple[Mapping[str, Any], WorkloadShape]]:
    """The workloads that the values of each add-on and chart bring about, as recorded, with these values."""
    if plan.eks is None:
        return
    charts = [(chart.chart, chart.values) for chart in plan.eks.charts if chart.folder is None]
    for software, values in (*((addon.name, addon.configuration) for addon in plan.eks.addons), *charts):
        shapes = catalog.workload_shapes_of(software)
        chart = catalog.chart(software) if any(shape.when for shape in shapes) else None
        yield from ((values, shape) for shape in shapes if is_made(shape, chart, values))


def of_shape(shape: WorkloadShape) -> PodShape:
    """A row of the catalog as the scheduler sees it."""
    asked = {"cpu": shape.requests.cpu_millicores, "memory": shape.requests.memory_bytes}
    requests = {name: amount for name, amount in asked.items() if amount is not None}
    return PodShape(
        workload=f"{shape.kind} {shape.namespace}/{shape.workload}",
        kind=shape.kind,
        node_selector=shape.node_selector,
        affinity=tuple(term.match_expressions for term in shape.node_affinity),
        tolerations=shape.tolerations,
        requests={**requests, **shape.requests.extended, "pods": 1},
        replicas=shape.replicas,
        software=shape.software,
        needed_on=shape.needed_on,
        device_class=shape.device_class,
        scheduler=shape.scheduler_name or "",
    )
