"""Kueue's configuration as the environment installs it."""

from __future__ import annotations

import msgspec

from local_kubernetes.model.chart_values import value_at
from local_kubernetes.model.yaml_reader import yaml_document
from neuron_cluster.plan.kubernetes_plan import KubernetesPlan
from neuron_cluster.schedulers.kubernetes.software.values.kueue_configuration import KueueConfiguration

KUEUE = "kueue"
CONFIGURATION = "managerConfig.controllerManagerConfigYaml"
"""Kueue's add-on flag, and the value of its chart that holds the configuration."""


def kueue_configuration(cluster: KubernetesPlan) -> KueueConfiguration | None:
    """Returns the configuration of the toolkit, or the one of ``chart_values``; None where it installs no Kueue."""
    texts = (value_at(chart.values, CONFIGURATION) for chart in cluster.charts if chart.component == KUEUE)
    text = next(filter(None, texts), None)
    return msgspec.convert(yaml_document(text), KueueConfiguration) if text is not None else None
