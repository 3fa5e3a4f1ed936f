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
    DraDriver,
    EfaPluginValues,
    NeuronChartValues,
    NodeProblemDetector,
    Toleration,
)
from neuron_cluster.software.device_management import NeuronSoftware, neuron_software

CHART_TIMEOUT_MINUTES = 10
"""Below the 15 minutes after which the Lambda that runs helm is killed and the release stays pending."""

NEURON_CHART = "neuron-helm-chart"
DRA_RELEASE = "neuron-dra-driver"
EFA_CHART = "aws-efa-k8s-device-plugin"


def charts_for(wish: Addons, node_groups: Sequence[NodeGroupPlan], catalog: Catalog) -> tuple[ChartPlan, ...]:
    """The releases in order. The namespaces of a chart's own objects are made before it."""
    has_neuron = any(group.machine.is_neuron for group in node_groups)
    has_efa = any(group.machine.efa_interfaces for group in node_groups)
    efa_plugin = has_efa if wish.efa_device_plugin is None else wish.efa_device_plugin
    taints = _neuron_taints(node_groups)
    charts = _neuron_charts(neuron_software(wish, has_neuron=has_neuron), taints, catalog)
    if efa_plugin:
        charts.append(_chart(_row(EFA_CHART, catalog), EFA_CHART, EfaPluginValues(tolerations=taints)))
    return tuple(charts)


def _neuron_charts(software: NeuronSoftware, taints: list[Toleration], catalog: Catalog) -> list[ChartPlan]:
    """The DRA driver has a release of its own: the chart drops plugin and detector from one that has the driver.

    It comes after the other release, out of which the device plugin has then gone. The chart itself makes the
    driver's namespace: one that is made first would not be the release's, and helm would refuse to take it over.
    """
    row = _row(NEURON_CHART, catalog)
    charts: list[ChartPlan] = []
    if software.device_plugin or software.detector:
        tolerations = _beyond_default(row, "devicePlugin.tolerations", taints)
        values = NeuronChartValues(
            device_plugin=DevicePlugin(enabled=software.device_plugin, tolerations=tolerations),
            npd=NodeProblemDetector(enabled=software.detector),
        )
        charts.append(_chart(row, "neuron", values, with_namespaces=software.detector))
    if software.dra_driver:
        tolerations = _beyond_default(row, "draDriver.tolerations", taints)
        values = NeuronChartValues(
            device_plugin=DevicePlugin(enabled=False),
            npd=NodeProblemDetector(enabled=False),
            dra_driver=DraDriver(enabled=True, tolerations=tolerations),
        )
        charts.append(_chart(row, DRA_RELEASE, values, needs=tuple(chart.release for chart in charts)))
    return charts


def _neuron_taints(node_groups: Sequence[NodeGroupPlan]) -> list[Toleration]:
    """A toleration for every taint of a Neuron group, or a plugin would not run where it is needed."""
    effects = {"NO_SCHEDULE": "NoSchedule", "NO_EXECUTE": "NoExecute", "PREFER_NO_SCHEDULE": "PreferNoSchedule"}
    taints = {(t.key, effects[t.effect]) for group in node_groups if group.machine.is_neuron for t in group.taints}
    return [Toleration(key=key, effect=effect) for key, effect in sorted(taints)]


def _beyond_default(chart: Chart, key: str, wanted: list[Toleration]) -> list[Toleration] | None:
    """The tolerations at a key, when the chart's own do not cover ours: a list in values replaces the chart's list."""
    own = [
        Toleration(key=t.key, operator=t.operator, value=t.value, effect=t.effect)
        for t in chart.default_tolerations.get(key, ())
    ]
    missing = [toleration for toleration in wanted if toleration not in own]
    return [*own, *missing] if missing else None


def _row(name: str, catalog: Catalog) -> Chart:
    row = catalog.chart(name)
    if row is None:  # a test compares the names here with the catalog's rows
        raise LookupError(f"the catalog has no chart {name}")
    return row


def _chart(
    row: Chart, release: str, values: ChartValues, *, with_namespaces: bool = False, needs: tuple[str, ...] = ()
) -> ChartPlan:
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
        needs=needs,
    )


PRIVILEGED = {"pod-security.kubernetes.io/enforce": "privileged"}
"""Detectors read the host's kernel log, which no lower Pod Security level lets them."""
