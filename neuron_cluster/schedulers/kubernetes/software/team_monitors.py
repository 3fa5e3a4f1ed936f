"""Metrics of the servers of teams: whose PodMonitors and network policies members may not write."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from local_kubernetes.model.names import NAMESPACE_LABEL
from neuron_cluster.plan.addon_plan import ManifestPlan
from neuron_cluster.schedulers.kubernetes.software.component_context import ComponentContext
from neuron_cluster.schedulers.kubernetes.software.workload_alerts import CHART, COMPONENT, NAMESPACE

SERVERS: Mapping[str, str] = {"app.kubernetes.io/name": "neuron-serving", "app.kubernetes.io/component": "server"}
PORT, SECONDS = "http", 15
"""As charts/neuron-serving names its port, and has Prometheus read it."""


def team_monitors(context: ComponentContext) -> Iterator[ManifestPlan]:
    """A PodMonitor for each team, so that an edit of one changes no object of another one."""
    for team in context.teams:
        if team.namespaces:
            name = f"neuron-serving-{team.name}"
            body = {
                "apiVersion": "monitoring.coreos.com/v1",
                "kind": "PodMonitor",
                "metadata": {"name": name, "namespace": NAMESPACE},
                "spec": {
                    "namespaceSelector": {"matchNames": list(team.namespaces)},
                    "selector": {"matchLabels": dict(SERVERS)},
                    "podMetricsEndpoints": [{"port": PORT, "path": "/metrics", "interval": f"{SECONDS}s"}],
                },
            }
            yield ManifestPlan(team.path, f"PodMonitor {name}", (body,), needs=(CHART,), component=COMPONENT)


def from_prometheus(namespace: str) -> Mapping[str, Any]:
    """The NetworkPolicy by which servers answer Prometheus, on the port of their metrics alone."""
    monitoring = {"namespaceSelector": {"matchLabels": {NAMESPACE_LABEL: NAMESPACE}}}
    return {
        "apiVersion": "networking.k8s.io/v1",
        "kind": "NetworkPolicy",
        "metadata": {"name": "metrics-of-servers", "namespace": namespace},
        "spec": {
            "podSelector": {"matchLabels": dict(SERVERS)},
            "policyTypes": ["Ingress"],
            "ingress": [{"from": [monitoring], "ports": [{"port": PORT, "protocol": "TCP"}]}],
        },
    }
