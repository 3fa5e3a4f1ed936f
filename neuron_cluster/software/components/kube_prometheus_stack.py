"""Prometheus, Alertmanager and Grafana inside the cluster."""

from __future__ import annotations

from neuron_cluster.plan.addon_plan import NamespacePlan
from neuron_cluster.plan.namespace_plan import pod_security_labels
from neuron_cluster.software.component import Component, Release
from neuron_cluster.software.component_context import ComponentContext
from neuron_cluster.software.values.kube_prometheus_stack import KubePrometheusStackValues, NodeExporter

CHART = "kube-prometheus-stack"


def component(context: ComponentContext) -> Component:
    """The node exporter reads the host's own files and network: it alone, in a namespace that allows that."""
    row = context.catalog.chart(CHART)
    if row is None:  # the tests of the catalog hold its rows
        raise LookupError(f"the catalog has no chart {CHART}")
    (home,) = row.further_namespaces
    values = KubePrometheusStackValues(node_exporter=NodeExporter(namespace_override=home))
    labels = pod_security_labels("privileged", context.kubernetes_version)
    release = Release(chart=CHART, values=values.as_values(), namespaces=(NamespacePlan(home, labels),))
    return Component(releases=(release,))
