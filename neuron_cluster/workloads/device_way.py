"""How pods get their Neuron devices in an environment: the charts' ``machine.deviceManagement``."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from neuron_cluster.chart_values import value_at
from neuron_cluster.findings.finding import Finding
from neuron_cluster.plan.cluster_plan import EksPlan
from neuron_cluster.workloads.refusal import finding

PLUGIN, DRA = "devicePlugin", "dra"
KEY = "machine.deviceManagement"
_WAYS: Mapping[str, str] = {"device_plugin": PLUGIN, "dra": DRA}
"""The plan's word to the charts'. Never both in one environment (rule E5029)."""
_WORDS: Mapping[str, str] = {
    PLUGIN: "the device plugin hands out Neuron devices, as aws.amazon.com/neuron",
    DRA: "the DRA driver hands out Neuron devices, to claims of class neuron.aws.com",
}


def device_way(eks: EksPlan) -> str | None:
    """``devicePlugin`` or ``dra``; None where the environment has neither."""
    return next((word for way, word in _WAYS.items() if way in eks.device_management.ways), None)


def way_findings(eks: EksPlan, values: Mapping[str, Any], defaults: Mapping[str, Any], chart: str) -> Iterator[Finding]:
    """An error where the user's own values ask for devices in the way that the environment does not have."""
    there = device_way(eks)
    asked = value_at(values, KEY) or value_at(defaults, KEY)
    if there is not None and asked in _WORDS and asked != there and value_at(values, "machine.neuronDevices"):
        message = f"{asked} is asked for, and in this environment {_WORDS[there]}"
        yield finding("E9204", chart, KEY, message, f"leave it out, or write {there}")
