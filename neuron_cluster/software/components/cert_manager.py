"""cert-manager: certificates for webhooks and endpoints."""

from __future__ import annotations

from neuron_cluster.software.component import Component, Release
from neuron_cluster.software.setting import Setting
from neuron_cluster.software.values.cert_manager import CertManagerValues


def component(setting: Setting) -> Component:
    del setting
    return Component(releases=(Release(chart="cert-manager", values=CertManagerValues().as_values()),))
