"""CloudWatch observability: metrics, those of Neuron devices too, and logs."""

from __future__ import annotations

from neuron_cluster.software.component import Component, ManagedAddon
from neuron_cluster.software.setting import Setting


def component(setting: Setting) -> Component:
    del setting
    return Component(addons=(ManagedAddon(name="amazon-cloudwatch-observability"),))
