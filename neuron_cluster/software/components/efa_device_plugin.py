"""EFA device plugin: pods ask for ``vpc.amazonaws.com/efa``."""

from __future__ import annotations

from msgspec import UNSET

from neuron_cluster.software.charts_of_switches import EFA_CHART
from neuron_cluster.software.component import Component, Release
from neuron_cluster.software.instance_labels import with_missing_types
from neuron_cluster.software.setting import Setting
from neuron_cluster.software.values.aws_efa_k8s_device_plugin import AwsEfaK8sDevicePluginValues, SupportedInstances


def component(setting: Setting) -> Component:
    groups = tuple(group for group in setting.node_groups if group.machine.efa_interfaces)
    types = with_missing_types(EFA_CHART, groups, setting.catalog)
    values = AwsEfaK8sDevicePluginValues(
        tolerations=setting.neuron_tolerations,
        supported_instance_labels=SupportedInstances(values=types) if types else UNSET,
    )
    return Component(releases=(Release(chart=EFA_CHART, values=values.as_values()),))
