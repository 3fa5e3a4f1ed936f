"""Checks of the pods that a chart renders to, on the nodes of the environment."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from math import ceil
from typing import Any

from msgspec.structs import replace

from local_kubernetes.model.chart_values import value_at
from local_kubernetes.model.neuron_devices import requests_devices
from local_kubernetes.model.objects import KubernetesObject
from local_kubernetes.model.scheduling.dynamic_resources import claim_doubts
from local_kubernetes.model.scheduling.evaluation import GroupResult, SchedulingResult
from local_kubernetes.model.scheduling.pod import PodInfo
from local_kubernetes.model.scheduling.pod_reader import pods_of
from neuron_cluster.catalog.catalog import Catalog
from neuron_cluster.findings.finding import Finding, has_error
from neuron_cluster.schedulers.kubernetes.workloads.findings import finding
from neuron_cluster.schedulers.kubernetes.workloads.image_compatibility import pod_image_findings
from neuron_cluster.schedulers.kubernetes.workloads.scheduling.partial_devices import (
    hint_for_partial_devices,
    partial_devices,
    words_of,
)
from neuron_cluster.schedulers.kubernetes.workloads.values import WorkloadValues

NONE = Fraction(0)


def pod_findings(
    chosen: WorkloadValues, objects: Sequence[Mapping[str, Any]], catalog: Catalog, *, namespace: str, has_errors: bool
) -> Iterator[Finding]:
    """Findings about the pods of valid objects, those of `helm test` last, and only without errors before."""
    tests = _tests(objects, namespace)
    pods = sorted(pods_of(objects, namespace=namespace), key=lambda pod: pod.workload in tests)
    results = chosen.evaluation.results([with_max_replicas(pod, objects, namespace) for pod in pods])
    nodes = {each.pod.workload: _nodes(each, chosen) for each in results if each.pod.workload not in tests}
    for result in results:
        pod = result.pod
        if pod.workload in tests and has_errors:
            return  # its findings would repeat these
        idle = _on_idle_groups(result, chosen) if pod.workload not in tests else ()
        found = [
            *idle,
            *_unschedulable(result, chosen, sum(nodes.values(), NONE) - nodes.get(pod.workload, NONE), catalog),
        ]
        found += _unknown_scheduler(pod, chosen)
        found += _other_images(result, chosen)
        has_errors = has_errors or has_error(found)
        yield from found


def _unknown_scheduler(pod: PodInfo, chosen: WorkloadValues) -> Iterator[Finding]:
    if not pod.has_scheduler(chosen.schedulers):
        message = f"{pod.workload} names the scheduler {pod.scheduler}, which the environment does not have"
        hint = f"leave it empty, or name one of these: {', '.join(chosen.schedulers)}"
        yield finding("E9222", chosen.chart.name, "schedulerName", message, hint)


def _other_images(result: SchedulingResult, chosen: WorkloadValues) -> Iterator[Finding]:
    """Yields findings on images other than the one of the values, which was checked with these."""
    for each in pod_image_findings(result, chosen.images, judged=frozenset({chosen.image})):
        place = f"{result.pod.workload} {each.image.path}"
        yield finding(each.finding_id, chosen.chart.name, place, each.message, each.hint)


def _tests(objects: Sequence[Mapping[str, Any]], namespace: str) -> set[str]:
    """The pods that ``helm test`` runs, as ``PodShape.workload`` names them."""
    owners = (KubernetesObject(body, str(value_at(body, "metadata.namespace") or namespace)) for body in objects)
    return {f"{owner.kind} {owner.namespace}/{owner.name}" for owner in owners if "test" in owner.hooks}


def _uses_neuron(pod: PodInfo) -> bool:
    return requests_devices(pod.requests) or bool(pod.claims)


def _on_group(result: SchedulingResult, chosen: WorkloadValues) -> GroupResult:
    return next(each for each in result.groups if each.group == chosen.group.name)


def _nodes(result: SchedulingResult, chosen: WorkloadValues) -> Fraction:
    """Nodes of the chosen group that the pods fill at once; none where they fit nowhere or on other groups too."""
    per_node = _on_group(result, chosen).per_node
    return Fraction(result.pod.replicas or 0, per_node) if _uses_neuron(result.pod) and per_node else NONE


def _unschedulable(
    result: SchedulingResult, chosen: WorkloadValues, others: Fraction, catalog: Catalog
) -> Iterator[Finding]:
    """Pods with devices run on the chosen group, all others on any group that they fit on.

    ``others`` are nodes that other pods of the workload fill at the same time.
    """
    pod, uses_neuron = result.pod, _uses_neuron(result.pod)
    groups = [_on_group(result, chosen)] if uses_neuron else list(result.groups)
    if not any(each.fits for each in groups):
        reasons = "; ".join(f"{each.group}: {', '.join(why.message for why in each.reasons)}" for each in groups)
        hint = _hint(min(groups, key=lambda each: len(each.reasons)), chosen)
        yield finding("E9210", chosen.chart.name, pod.workload, f"its pods fit on no node: {reasons}", hint)
    elif uses_neuron:
        for doubt in claim_doubts(pod, chosen.node):
            hint = f"try one pod before you rely on it; claim whole nodes of {chosen.group.name} where the values allow"
            yield finding("W9220", chosen.chart.name, pod.workload, doubt, hint)
        if parts := partial_devices(pod, [chosen.node], catalog):
            message = f"its pods request {words_of(parts)}"
            hint = hint_for_partial_devices(parts, chosen.schedulers, chosen.scheduler_flag)
            yield finding("W9227", chosen.chart.name, pod.workload, message, hint)
        if pod.replicas:
            yield from _too_many(pod, groups[0].per_node or 1, chosen, others)


def _on_idle_groups(result: SchedulingResult, chosen: WorkloadValues) -> Iterator[Finding]:
    """W9218 for pods without devices where none of the groups that they fit on has a node now."""
    pod, cluster = result.pod, chosen.images.plan.kubernetes
    fitting = set() if _uses_neuron(pod) else {each.group for each in result.groups if each.fits}
    groups = [each for each in cluster.node_groups if each.name in fitting] if cluster is not None else []
    if pod.replicas and groups and not any(each.desired or each.scales_on_demand for each in groups):
        names = " or ".join(each.name for each in groups)
        message = f"its pods fit on {names} alone, and count.desired is 0"
        hint = (
            f"raise count.desired of {groups[0].name} to 1 and deploy before it runs; until then its pods stay Pending"
        )
        yield finding("W9218", chosen.chart.name, pod.workload, message, hint)


def _hint(group: GroupResult, chosen: WorkloadValues) -> str:
    """Returns the hint for the first reason: larger nodes do not help where the pods select other ones."""
    first = group.reasons[0]
    match first.constraint:
        case "toleration":
            return "remove tolerations: they are set for the taints of the group"
        case "selector" | "affinity":
            return "remove machine.instanceType and machine.nodeGroup: they are set for the group"
    daemon_sets = ", ".join(each.rpartition("/")[2] for each in chosen.node.daemon_sets)
    return f"{first.hint}; the requests of DaemonSets are subtracted first ({daemon_sets or 'none are known'})"


def _too_many(pod: PodInfo, per_node: int, chosen: WorkloadValues, others: Fraction) -> Iterator[Finding]:
    """Whether all pods run at once at the maximum size of the group, and at its desired size."""
    group, replicas = chosen.group, pod.replicas or 0
    pods = "it creates one pod" if replicas == 1 else f"it creates {replicas} pods that run at once"
    where = f"a node of {group.name} holds {per_node} of them"
    where += f", beside {ceil(others)} nodes for its other pods" if others else ""
    needed = ceil(Fraction(replicas, per_node) + others)
    if not group.allows(needed):
        message = f"{pods}; {where}, and the group has {group.max} nodes at most"
        fewer = "" if others else f"request {per_node * group.max} at most, or "
        hint = f"{fewer}raise count.max of {group.name} to {needed}"
        yield finding("E9211", chosen.chart.name, pod.workload, message, hint)
    elif needed > group.desired and not group.scales_on_demand:
        queue = value_at(chosen.values, "queue.name")
        message = f"{pods}; {where}, and count.desired is {group.desired}"
        if queue:
            message += f": queue {queue} has the devices of that many nodes, and the job waits in it"
        hint = f"raise count.desired of {group.name} to {needed} and deploy"
        hint += "" if queue else " before it runs; until then its pods stay Pending"
        yield finding("W9218", chosen.chart.name, pod.workload, message, hint)


SCALED_OBJECT = "ScaledObject"
DEFAULT_TARGET = "Deployment"
"""Source: https://keda.sh/docs/latest/reference/scaledobject-spec/ (scaleTargetRef, maxReplicaCount)."""


def with_max_replicas(pod: PodInfo, objects: Sequence[Mapping[str, Any]], namespace: str) -> PodInfo:
    """The pod with the maximum replicas of the ScaledObject (KEDA) that scales its workload, if there is one."""
    for body in objects:
        if body.get("kind") != SCALED_OBJECT:
            continue
        target = f"{value_at(body, 'spec.scaleTargetRef.kind') or DEFAULT_TARGET} "
        target += f"{value_at(body, 'metadata.namespace') or namespace}/{value_at(body, 'spec.scaleTargetRef.name')}"
        maximum = value_at(body, "spec.maxReplicaCount")
        if (pod.workload == target or pod.workload.startswith(f"{target} ")) and isinstance(maximum, int):
            return replace(pod, replicas=maximum * (pod.replicas or 1))
    return pod
