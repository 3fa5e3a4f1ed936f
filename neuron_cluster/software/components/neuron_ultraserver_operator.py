"""Neuron UltraServer operator: whole UltraServers for workloads, in the release of the DRA driver that it needs."""

from __future__ import annotations

from neuron_cluster.software.component import Component
from neuron_cluster.software.neuron_chart import driver_release
from neuron_cluster.software.setting import Setting
from neuron_cluster.software.values.neuron_helm_chart import UltraserverOperator


def component(setting: Setting) -> Component:
    return Component(releases=(driver_release("ultraserverOperator", UltraserverOperator(enabled=True), setting),))
