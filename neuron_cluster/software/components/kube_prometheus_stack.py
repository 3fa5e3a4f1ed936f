"""Prometheus, Alertmanager and Grafana inside the cluster."""

from __future__ import annotations

from neuron_cluster.software.component import Component, Release
from neuron_cluster.software.setting import Setting
from neuron_cluster.software.values.kube_prometheus_stack import KubePrometheusStackValues


def component(setting: Setting) -> Component:
    """The node exporter reads the host's own files and network."""
    del setting
    values = KubePrometheusStackValues().as_values()
    release = Release(chart="kube-prometheus-stack", values=values, pod_security="privileged")
    return Component(releases=(release,))
