"""Neuron node problem detector: reports broken devices of a node as conditions."""

from __future__ import annotations

from neuron_cluster.kubernetes_names import POD_SECURITY_LABEL
from neuron_cluster.plan.addon_plan import NamespacePlan
from neuron_cluster.software.charts_of_switches import NEURON_CHART
from neuron_cluster.software.component import Component
from neuron_cluster.software.neuron_chart import plugin_release
from neuron_cluster.software.setting import Setting
from neuron_cluster.software.values.neuron_helm_chart import NodeProblemDetector

PRIVILEGED = {POD_SECURITY_LABEL: "privileged"}
"""Detectors read the host's kernel log, which no lower Pod Security level lets them."""


def component(setting: Setting) -> Component:
    """Neither helm nor the chart makes the namespace of the detector's objects."""
    row = setting.catalog.chart(NEURON_CHART)
    namespaces = tuple(NamespacePlan(name, PRIVILEGED) for name in row.further_namespaces) if row is not None else ()
    values = NodeProblemDetector(enabled=True)
    return Component(releases=(plugin_release("npd", values, setting, namespaces=namespaces),))
