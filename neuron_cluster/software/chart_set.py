"""Which charts the cluster gets, with values that fit its nodes, in an order that works."""

from __future__ import annotations

from collections.abc import Sequence

from neuron_cluster.catalog.catalog import Catalog
from neuron_cluster.catalog.chart import Chart
from neuron_cluster.config.eks import Addons
from neuron_cluster.plan.addon_plan import ChartPlan, NamespacePlan
from neuron_cluster.plan.cluster_plan import NodeGroupPlan
from neuron_cluster.software.chart_values import (
    ChartValues,
    DevicePlugin,
    EfaPluginValues,
    NeuronChartValues,
    NodeProblemDetector,
    Toleration,
)

CHART_TIMEOUT_MINUTES = 10
"""Below the 15 minutes after which the Lambda that runs helm is killed and the release stays pending."""

NEURON_CHART = "neuron-helm-chart"
EFA_CHART = "aws-efa-k8s-device-plugin"


def charts_for(wish: Addons, node_groups: Sequence[NodeGroupPlan], catalog: Catalog) -> tuple[ChartPlan, ...]:
    """The releases in order. The namespaces of a chart's own objects are made before it."""
    has_neuron = any(group.machine.is_neuron for group in node_groups)
    has_efa = any(group.machine.efa_interfaces for group in node_groups)
    device_plugin = has_neuron if wish.neuron_device_plugin is None else wish.neuron_device_plugin
    detector = wish.neuron_node_problem_detector
    detector = device_plugin if detector is None else detector
    efa_plugin = has_efa if wish.efa_device_plugin is None else wish.efa_device_plugin
    taints = _neuron_taints(node_groups)
    charts: list[ChartPlan] = []
    if device_plugin or detector:
        row = _row(NEURON_CHART, catalog)
        values = NeuronChartValues(
            device_plugin=DevicePlugin(enabled=device_plugin, tolerations=_beyond_default(row, taints)),
            npd=NodeProblemDetector(enabled=detector),
        )
        charts.append(_chart(row, "neuron", values, with_namespaces=detector))
    if efa_plugin:
        row = _row(EFA_CHART, catalog)
        charts.append(_chart(row, EFA_CHART, EfaPluginValues(tolerations=taints)))
    return tuple(charts)


def _neuron_taints(node_groups: Sequence[NodeGroupPlan]) -> list[Toleration]:
    """A toleration for every taint of a Neuron group, or a plugin would not run where it is needed."""
    effects = {"NO_SCHEDULE": "NoSchedule", "NO_EXECUTE": "NoExecute", "PREFER_NO_SCHEDULE": "PreferNoSchedule"}
    taints = {(t.key, effects[t.effect]) for group in node_groups if group.machine.is_neuron for t in group.taints}
    return [Toleration(key=key, effect=effect) for key, effect in sorted(taints)]


def _beyond_default(chart: Chart, wanted: list[Toleration]) -> list[Toleration] | None:
    """The device plugin's tolerations, when its own do not cover ours: a list in values replaces the chart's list."""
    own = [
        Toleration(key=t.key, operator=t.operator, value=t.value, effect=t.effect)
        for t in chart.default_tolerations.get("devicePlugin.tolerations", ())
    ]
    missing = [toleration for toleration in wanted if toleration not in own]
    return [*own, *missing] if missing else None


def _row(name: str, catalog: Catalog) -> Chart:
    row = catalog.chart(name)
    if row is None:  # a test compares the names here with the catalog's rows
        raise LookupError(f"the catalog has no chart {name}")
    return row


def _chart(row: Chart, release: str, values: ChartValues, *, with_namespaces: bool = False) -> ChartPlan:
    namespaces = row.further_namespaces if with_namespaces else ()
    return ChartPlan(
        path=("eks", "addons"),
        release=release,
        chart=row.name,
        repository=row.repository,
        version=row.version,
        namespace=row.namespace,
        values=values.as_values(),
        timeout_minutes=CHART_TIMEOUT_MINUTES,
        namespaces=tuple(NamespacePlan(n, PRIVILEGED) for n in namespaces),
    )


PRIVILEGED = {"pod-security.kubernetes.io/enforce": "privileged"}
"""Detectors read the host's kernel log, which no lower Pod Security level lets them."""
