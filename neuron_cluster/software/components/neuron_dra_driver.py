"""Neuron DRA driver: pods claim devices of the class ``neuron.aws.com``."""

from __future__ import annotations

from neuron_cluster.software.component import Component
from neuron_cluster.software.neuron_chart import driver_release, tolerations_for
from neuron_cluster.software.setting import Setting
from neuron_cluster.software.values.neuron_helm_chart import DraDriver


def component(setting: Setting) -> Component:
    values = DraDriver(enabled=True, **tolerations_for("draDriver", setting))
    return Component(releases=(driver_release("draDriver", values, setting),))
