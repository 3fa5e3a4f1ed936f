"""The time that pods need to become Ready, against the time after which Kueue stops them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from math import ceil
from typing import Any

from neuron_cluster.catalog.catalog import Catalog
from neuron_cluster.findings.finding import Finding
from neuron_cluster.kubernetes.chart_values import value_at
from neuron_cluster.kubernetes.objects import KubernetesObject, labels_of
from neuron_cluster.kubernetes.pod_templates import Container, pod_templates
from neuron_cluster.plan.kubernetes_plan import KubernetesPlan
from neuron_cluster.software.values.kueue_configuration import WaitForPodsReady
from neuron_cluster.workloads.findings import finding
from neuron_cluster.workloads.kueue_settings import kueue_configuration

QUEUE_LABEL = "kueue.x-k8s.io/queue-name"
PERIOD_SECONDS, FAILURES = 10, 3
"""Of a probe that does not set them (kubernetes/api, core/v1: Probe)."""
UNITS: Mapping[str, float] = {"ms": 0.001, "s": 1, "m": 60, "h": 3600}


def startup_findings(
    objects: Sequence[Mapping[str, Any]], cluster: KubernetesPlan, catalog: Catalog, *, chart: str, namespace: str
) -> Iterator[Finding]:
    """E9240 for each object with a queue whose pods may need longer than Kueue waits."""
    configuration = kueue_configuration(cluster)
    waits = configuration.wait_for_pods_ready if configuration is not None else None
    if not waits:
        return
    pull = catalog.limit("image_pull_time").require_maximum()
    allowed = _allowed_minutes(waits)
    for body in objects:
        owner = KubernetesObject(body, str(value_at(body, "metadata.namespace") or namespace))
        queue = labels_of(body).get(QUEUE_LABEL)
        needed = ceil(_startup_seconds(owner) / 60) + pull
        if queue and needed > allowed:
            key = cluster.key("pods_ready_minutes")
            message = (
                f"its pods may need {needed} minutes until they are Ready ({pull} of them to pull images), and "
                f"Kueue stops them after {allowed:g}, again and again"
            )
            hint = (
                f"set {key}: {needed} and deploy; or fill a compile cache first (charts/compile-cache-warmer) and "
                "allow less time to compile; or set queue.name to an empty text"
            )
            yield finding("E9240", chart, f"{owner.kind} {owner.name}", message, hint)


def _allowed_minutes(waits: WaitForPodsReady) -> float:
    """The shorter of the two times, since a container that restarts starts up again; 0s sets no time to recover."""
    first = seconds_of(waits.timeout)
    again = seconds_of(waits.recovery_timeout) if waits.recovery_timeout else first
    return min(first, again or first) / 60


def seconds_of(duration: str) -> float:
    return sum(int(number) * UNITS[unit] for number, unit in re.findall(r"([0-9]+)(ms|s|m|h)", duration))


def _startup_seconds(owner: KubernetesObject) -> int:
    """Of the pods whose probes allow the longest."""
    containers = (each for template in pod_templates(owner) for each in template.containers)
    return max((_probe_seconds(each) for each in containers if each.place == "containers"), default=0)


def _probe_seconds(container: Container) -> int:
    """Until the kubelet gives a container up that does not start; 0 without a startup probe."""
    probe = container.body.get("startupProbe")
    if not isinstance(probe, Mapping):
        return 0
    delay, period = _number(probe, "initialDelaySeconds", 0), _number(probe, "periodSeconds", PERIOD_SECONDS)
    return delay + period * _number(probe, "failureThreshold", FAILURES)


def _number(probe: Mapping[str, Any], key: str, otherwise: int) -> int:
    given = probe.get(key)
    return given if isinstance(given, int) else otherwise
