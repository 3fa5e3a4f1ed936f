"""Neuron device plugin: pods ask for ``aws.amazon.com/neuron``."""

from __future__ import annotations

from neuron_cluster.software.component import Component
from neuron_cluster.software.neuron_chart import plugin_release, tolerations_for
from neuron_cluster.software.setting import Setting
from neuron_cluster.software.values.neuron_helm_chart import DevicePlugin


def component(setting: Setting) -> Component:
    values = DevicePlugin(enabled=True, **tolerations_for("devicePlugin", setting))
    return Component(releases=(plugin_release("devicePlugin", values, setting),))
