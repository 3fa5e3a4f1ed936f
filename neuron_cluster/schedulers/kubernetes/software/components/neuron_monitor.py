"""neuron-monitor on every Neuron node: a bundled chart."""

from __future__ import annotations

from neuron_cluster.schedulers.kubernetes.software.component import Component, Release
from neuron_cluster.schedulers.kubernetes.software.component_context import ComponentContext
from neuron_cluster.schedulers.kubernetes.software.components.registry import MONITOR_CHART
from neuron_cluster.schedulers.kubernetes.software.values.neuron_monitor import (
    Alerts,
    Dashboard,
    NeuronMonitorValues,
    PodMonitor,
)
from neuron_cluster.schedulers.kubernetes.software.values.pod_settings import Enabled


def component(context: ComponentContext) -> Component:
    """Returns the component. Its pods open the devices of the node together with jobs: they are privileged. They read
    the instance's metadata, which with a hop limit of 1 answers only in the network of the host."""
    with_operator = context.has("kube_prometheus_stack")
    values = NeuronMonitorValues(
        instance_types=tuple(sorted({group.machine.instance_type for group in context.neuron_groups})),
        tolerations=context.neuron_tolerations,
        host_network=True,
        efa_counters=Enabled(enabled=any(group.machine.efa_interfaces for group in context.neuron_groups)),
        pod_monitor=PodMonitor(enabled=with_operator),
        dashboard=Dashboard(enabled=with_operator),
        alerts=Alerts(enabled=with_operator),
    )
    return Component(releases=(Release(chart=MONITOR_CHART, values=values.as_values()),))
