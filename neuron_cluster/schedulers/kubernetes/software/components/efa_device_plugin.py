"""EFA device plugin: pods ask for ``vpc.amazonaws.com/efa``."""

from __future__ import annotations

from msgspec import UNSET

from neuron_cluster.schedulers.kubernetes.software.chart_values.placement import with_missing_types
from neuron_cluster.schedulers.kubernetes.software.component import Component, Release
from neuron_cluster.schedulers.kubernetes.software.component_context import ComponentContext
from neuron_cluster.schedulers.kubernetes.software.components.registry import EFA_CHART
from neuron_cluster.schedulers.kubernetes.software.values.aws_efa_k8s_device_plugin import (
    AwsEfaK8sDevicePluginValues,
    SupportedInstances,
)


def component(context: ComponentContext) -> Component:
    groups = tuple(group for group in context.node_groups if group.machine.efa_interfaces)
    types = with_missing_types(EFA_CHART, groups, context.catalog)
    values = AwsEfaK8sDevicePluginValues(
        tolerations=context.plugin_tolerations,
        supported_instance_labels=SupportedInstances(values=types) if types else UNSET,
    )
    return Component(releases=(Release(chart=EFA_CHART, values=values.as_values()),))
