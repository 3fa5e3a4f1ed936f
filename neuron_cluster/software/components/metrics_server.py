"""Metrics server: processor and memory use, for kubectl top and for scaling."""

from __future__ import annotations

from neuron_cluster.software.component import Component, ManagedAddon
from neuron_cluster.software.setting import Setting


def component(setting: Setting) -> Component:
    del setting
    return Component(addons=(ManagedAddon(name="metrics-server"),))
