"""Which software an environment has, by the switch that turns it on, and which software makes a custom resource."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from neuron_cluster.catalog.catalog import Catalog
from neuron_cluster.plan.cluster_plan import EksPlan

_WAYS: Mapping[str, str] = {"neuron_device_plugin": "device_plugin", "neuron_dra_driver": "dra"}
"""Switch to the plan's word for the way in which devices are handed out."""
CHART_OF_SWITCH: Mapping[str, str] = {
    "jobset": "jobset",
    "kueue": "kueue",
    "leader_worker_set": "lws",
    "keda": "keda",
    "cert_manager": "cert-manager",
    "efa_device_plugin": "aws-efa-k8s-device-plugin",
    "kube_prometheus_stack": "kube-prometheus-stack",
    "aws_load_balancer_controller": "aws-load-balancer-controller",
    "kubeflow_trainer": "kubeflow-trainer",
}
"""Switch below ``eks.addons`` to the catalog's name of its chart."""


def has_software(eks: EksPlan, switch: str) -> bool:
    """Whether the environment has what this switch turns on."""
    if switch in _WAYS:
        return _WAYS[switch] in eks.device_management.ways
    return any(chart.chart == CHART_OF_SWITCH[switch] for chart in eks.charts)


class MissingSoftware(Struct, frozen=True):
    """How to get what serves a kind of custom resource. Without a switch the user may have it all the same."""

    way: str
    has_switch: bool


def missing_for_kind(eks: EksPlan, api_version: str, kind: str, catalog: Catalog) -> MissingSoftware | None:
    """The software that the environment lacks for this kind; None where all is well.

    A kind that no software of the catalog makes is taken for one of Kubernetes itself.
    """
    makers = [
        chart.name
        for chart in catalog.charts
        if any((made.api_version, made.kind) == (api_version, kind) for made in chart.provides)
    ]
    if any(chart.chart in makers for chart in eks.charts):
        return None
    switches = [switch for switch, chart in CHART_OF_SWITCH.items() if chart in makers]
    if switches:
        return MissingSoftware(f"set eks.addons.{switches[0]}: true and deploy", has_switch=True)
    manifests = [
        each.name
        for each in catalog.manifests
        if any((made.api_version, made.kind) == (api_version, kind) for made in each.provides)
    ]
    if makers or manifests:
        way = f"install {', '.join([*makers, *manifests])} before it: no switch of eks.addons does"
        return MissingSoftware(way, has_switch=False)
    return None
