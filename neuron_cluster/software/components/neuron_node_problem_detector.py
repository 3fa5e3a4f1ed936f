"""Neuron node problem detector: reports broken devices of a node as conditions."""

from __future__ import annotations

from neuron_cluster.plan.addon_plan import NamespacePlan
from neuron_cluster.plan.namespace_plan import pod_security_labels
from neuron_cluster.software.charts_of_switches import NEURON_CHART
from neuron_cluster.software.component import Component
from neuron_cluster.software.neuron_chart import plugin_release
from neuron_cluster.software.setting import Setting
from neuron_cluster.software.values.neuron_helm_chart import NodeProblemDetector


def component(setting: Setting) -> Component:
    """Neither helm nor the chart makes the namespace of the detector's objects. Detectors read the host's kernel log,
    which no other Pod Security level allows."""
    row = setting.catalog.chart(NEURON_CHART)
    labels = pod_security_labels("privileged", setting.kubernetes_version)
    namespaces = tuple(NamespacePlan(name, labels) for name in row.further_namespaces) if row is not None else ()
    values = NodeProblemDetector(enabled=True)
    return Component(releases=(plugin_release("npd", values, setting, namespaces=namespaces),))
