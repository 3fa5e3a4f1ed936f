"""The time-outs that stop a pod which starts too slowly."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from local_kubernetes.model.names import PROBE_FAILURE_THRESHOLD, PROBE_PERIOD_SECONDS, QUEUE_NAME_LABEL
from local_kubernetes.model.objects import KubernetesObject, labels_of
from local_kubernetes.model.pod_templates import Container, pod_templates
from neuron_cluster.plan.kubernetes_plan import KubernetesPlan
from neuron_cluster.schedulers.kubernetes.software.values.kueue_configuration import WaitForPodsReady
from neuron_cluster.schedulers.kubernetes.workloads.kueue_settings import kueue_configuration
from neuron_cluster.schedulers.kubernetes.workloads.startup.budget import OF_A_POD, StartLimit, Step
from neuron_cluster.schedulers.kubernetes.workloads.startup.needs import MINUTE, StartNeeds, whole

KUEUE, PROBE, BARRIER, DEADLINE = "Kueue", "startup probe", "wait for the other pods", "deadline of the job"
UNITS: Mapping[str, float] = {"ms": 0.001, "s": 1, "m": 60, "h": 3600}
BEFORE_RUNNING = (Step.NODE_JOIN, Step.IMAGE_PULL, Step.COPY)


def start_limits(
    needs: StartNeeds, values: Mapping[str, Any], objects: Sequence[Mapping[str, Any]], cluster: KubernetesPlan
) -> Iterator[StartLimit]:
    """Not among them: helm, which does not wait for pods; progressDeadlineSeconds, after which a Deployment goes on."""
    yield from _of_kueue(needs, objects, cluster)
    probe = max((_startup_seconds(KubernetesObject(body, "")) for body in objects), default=0)
    if probe:
        yield StartLimit(
            name=PROBE,
            seconds=probe,
            steps=(Step.COMPILE, Step.LOAD),
            key=needs.load_key,
            unit_seconds=MINUTE,
            then="the kubelet restarts the container, again and again",
        )
    if barrier := whole(values, needs.barrier_key):
        yield StartLimit(
            name=BARRIER,
            seconds=barrier,
            steps=BEFORE_RUNNING,
            key=needs.barrier_key,
            unit_seconds=1,
            then="the first pods end before a pod of a new node starts, and the job fails",
        )
    if deadline := whole(values, needs.deadline_key) * needs.deadline_unit:
        yield StartLimit(
            name=DEADLINE,
            seconds=deadline,
            steps=OF_A_POD,
            key=needs.deadline_key,
            unit_seconds=needs.deadline_unit,
            then="the job ends before it has done anything",
        )


def _of_kueue(needs: StartNeeds, objects: Sequence[Mapping[str, Any]], cluster: KubernetesPlan) -> Iterator[StartLimit]:
    configuration = kueue_configuration(cluster)
    waits = configuration.wait_for_pods_ready if configuration is not None else None
    if waits and any(labels_of(body).get(QUEUE_NAME_LABEL) for body in objects):
        yield StartLimit(
            name=KUEUE,
            seconds=_allowed_seconds(waits),
            steps=OF_A_POD if needs.is_ready_when_loaded else BEFORE_RUNNING,
            key=cluster.key("pods_ready_minutes"),
            unit_seconds=MINUTE,
            then="Kueue stops the pods and puts them back into the queue, again and again",
        )


def _allowed_seconds(waits: WaitForPodsReady) -> float:
    """The shorter of the two times, since a container that restarts starts up again; 0s sets no time to recover."""
    first = seconds_of(waits.timeout)
    again = seconds_of(waits.recovery_timeout) if waits.recovery_timeout else first
    return min(first, again or first)


def seconds_of(duration: str) -> float:
    return sum(int(number) * UNITS[unit] for number, unit in re.findall(r"([0-9]+)(ms|s|m|h)", duration))


def _startup_seconds(owner: KubernetesObject) -> int:
    """Returns the longest time that startup probes of the pods allow; 0 without a startup probe."""
    containers = (each for template in pod_templates(owner) for each in template.containers)
    return max((_probe_seconds(each) for each in containers if each.place == "containers"), default=0)


def _probe_seconds(container: Container) -> int:
    """Until the kubelet gives a container up that does not start."""
    probe = container.body.get("startupProbe")
    if not isinstance(probe, Mapping):
        return 0
    delay, period = _number(probe, "initialDelaySeconds", 0), _number(probe, "periodSeconds", PROBE_PERIOD_SECONDS)
    return delay + period * _number(probe, "failureThreshold", PROBE_FAILURE_THRESHOLD)


def _number(probe: Mapping[str, Any], key: str, otherwise: int) -> int:
    given = probe.get(key)
    return given if isinstance(given, int) else otherwise
