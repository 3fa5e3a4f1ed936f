"""KEDA: scales workloads by queues and metrics."""

from __future__ import annotations

from neuron_cluster.software.component import Component, Release
from neuron_cluster.software.setting import Setting
from neuron_cluster.software.values.keda import KedaValues


def component(setting: Setting) -> Component:
    values = KedaValues(cluster_name=setting.cluster)
    return Component(releases=(Release(chart="keda", values=values.as_values()),))
