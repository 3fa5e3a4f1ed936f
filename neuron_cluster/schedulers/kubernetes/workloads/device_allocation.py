"""How pods get Neuron devices in an environment: the value ``machine.deviceManagement`` of the charts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from local_kubernetes.model.chart_values import value_at
from neuron_cluster.findings.finding import Finding
from neuron_cluster.plan.kubernetes_plan import KubernetesPlan
from neuron_cluster.schedulers.kubernetes.workloads.findings import finding

PLUGIN, DRA = "devicePlugin", "dra"
KEY = "machine.deviceManagement"
_MODES: Mapping[str, str] = {"device_plugin": PLUGIN, "dra": DRA}
"""The plan's name of a mode to that of the charts. An environment never has both (rule E5029)."""
_WORDS: Mapping[str, str] = {
    PLUGIN: "the device plugin allocates Neuron devices, as aws.amazon.com/neuron",
    DRA: "the DRA driver allocates Neuron devices, to claims of class neuron.aws.com",
}


def device_allocation_mode(cluster: KubernetesPlan) -> str | None:
    """``devicePlugin`` or ``dra``; None where the environment has neither."""
    return next((word for mode, word in _MODES.items() if mode in cluster.device_management.ways), None)


def device_allocation_findings(
    cluster: KubernetesPlan, values: Mapping[str, Any], defaults: Mapping[str, Any], chart: str
) -> Iterator[Finding]:
    """E9204 where the user's values request devices in a mode that the environment does not have."""
    installed = device_allocation_mode(cluster)
    requested = value_at(values, KEY) or value_at(defaults, KEY)
    if (
        installed is not None
        and requested in _WORDS
        and requested != installed
        and value_at(values, "machine.neuronDevices")
    ):
        message = f"{requested} is requested, and in this environment {_WORDS[installed]}"
        yield finding("E9204", chart, KEY, message, f"leave it out, or write {installed}")
