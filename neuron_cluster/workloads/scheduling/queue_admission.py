"""Jobs that Kueue never admits, and pods that use the devices of a queue without it.

A ClusterQueue admits no Workload that requests a resource that it does not cover (kubernetes-sigs/kueue@ff69552,
pkg/scheduler/flavorassigner/flavorassigner.go: "resource X unavailable in ClusterQueue"). Pods without a queue label
start at once, and Kueue admits jobs for the same devices.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from msgspec import Struct

from neuron_cluster.findings.finding import Finding, Location
from neuron_cluster.findings.text import listed
from neuron_cluster.kubernetes.container_resources import is_extended
from neuron_cluster.kubernetes.fields import at, items, text
from neuron_cluster.kubernetes.names import DEFAULT_NAMESPACE, NEURON, NEURON_CORE, QUEUE_NAME_LABEL
from neuron_cluster.kubernetes.neuron_devices import cores_per_device, requested_devices, requests_devices
from neuron_cluster.kubernetes.objects import KubernetesObject, labels_of
from neuron_cluster.kubernetes.pod_templates import pod_templates
from neuron_cluster.kubernetes.scheduling.evaluation import SchedulingResult
from neuron_cluster.kubernetes.scheduling.node import NodeInfo
from neuron_cluster.kubernetes.scheduling.pod import PodInfo
from neuron_cluster.plan.kubernetes_plan import KubernetesPlan
from neuron_cluster.software.team_queue_policy import MANAGED_BY_POD, REPLICA_SET

NOT_COVERED, WITHOUT_QUEUE = "E9308", "W9309"


class QueueOfJob(Struct, frozen=True):
    """The LocalQueue that an object names, empty for none, and what its ClusterQueue counts."""

    namespace: str
    name: str
    covered: tuple[str, ...] | None = None
    """None: the environment has no such queue in the namespace."""


def queue_admission_findings(
    results: Sequence[tuple[str, SchedulingResult]],
    manifests: Sequence[tuple[str, Sequence[Mapping[str, Any]]]],
    nodes: Sequence[NodeInfo],
    cluster: KubernetesPlan,
) -> Iterator[Finding]:
    """E9308 and W9309, for each workload of the manifests. ``nodes`` are empty ones."""
    queues = {place: queue for _, objects in manifests for place, queue in _queues_of(objects, cluster)}
    for source, result in results:
        queue = queues.get(" ".join(result.pod.workload.split(" ")[:2]))
        if queue is not None and queue.covered is not None:
            yield from _not_covered(source, result, queue, nodes)
        elif queue is not None and not queue.name:
            yield from _without_queue(source, result, queue, nodes, cluster)


def queue_label(body: Mapping[str, Any]) -> str:
    """The LocalQueue that admits the pods of an object; empty for none. Of a CronJob, the one of its jobs; of a
    Deployment its own or that of its pods."""
    owner = KubernetesObject(body, "")
    holders: list[Any] = [at(body, "spec", "jobTemplate") if owner.kind == "CronJob" else body]
    if owner.kind in MANAGED_BY_POD:
        holders += [template.body for template in pod_templates(owner)]
    if owner.kind == REPLICA_SET:
        holders = holders[1:]
    return next((name for each in holders if (name := labels_of(each).get(QUEUE_NAME_LABEL))), "")


def _queues_of(objects: Sequence[Mapping[str, Any]], cluster: KubernetesPlan) -> Iterator[tuple[str, QueueOfJob]]:
    """By the name with which pods state their workload."""
    covered = covered_resources(cluster)
    for body in objects:
        owner = KubernetesObject(body, text(at(body, "metadata", "namespace")) or DEFAULT_NAMESPACE)
        name = queue_label(body)
        queue = QueueOfJob(owner.namespace, name, covered.get((owner.namespace, name)))
        yield f"{owner.kind} {owner.namespace}/{owner.name}", queue


def covered_resources(cluster: KubernetesPlan) -> Mapping[tuple[str, str], tuple[str, ...]]:
    """What the ClusterQueue of each LocalQueue counts, by namespace and name of the LocalQueue."""
    made = [each for manifest in cluster.manifests for each in manifest.objects]
    of_cluster = {
        at(each, "metadata", "name"): tuple(
            name for group in items(at(each, "spec", "resourceGroups")) for name in items(at(group, "coveredResources"))
        )
        for each in made
        if each["kind"] == "ClusterQueue"
    }
    return {
        (at(each, "metadata", "namespace"), at(each, "metadata", "name")): of_cluster.get(
            at(each, "spec", "clusterQueue"), ()
        )
        for each in made
        if each["kind"] == "LocalQueue"
    }


def _not_covered(
    source: str, result: SchedulingResult, queue: QueueOfJob, nodes: Sequence[NodeInfo]
) -> Iterator[Finding]:
    pod, covered = result.pod, queue.covered or ()
    others = [name for name, amount in pod.requests.items() if amount and is_extended(name) and name not in covered]
    for name in others:
        message = (
            f"{pod.workload} requests {pod.requests[name]} {name}, and queue {queue.name} counts {listed(covered)} "
            "alone: Kueue never admits it"
        )
        hint = f"request no {name}, or leave the queue out"
        if name == NEURON_CORE:
            hint = f"request {_devices(pod, result, nodes)} {NEURON} instead of {pod.requests[name]} {name}"
        yield Finding(NOT_COVERED, Location(source), message, hint)


def _devices(pod: PodInfo, result: SchedulingResult, nodes: Sequence[NodeInfo]) -> int:
    """Devices with the requested cores on the nodes that the pod fits on, else on any that has them."""
    fitting = {each.group for each in result.fitting}
    chosen = [node for node in nodes if node.group in fitting] or list(nodes)
    cores = next((found for node in chosen if (found := cores_per_device(node.allocatable))), 0)
    return requested_devices(pod.requests, cores)


def _without_queue(
    source: str, result: SchedulingResult, queue: QueueOfJob, nodes: Sequence[NodeInfo], cluster: KubernetesPlan
) -> Iterator[Finding]:
    pod = result.pod
    if not (pod.claims or requests_devices(pod.requests)):
        return
    fitting = {each.group for each in result.fitting}
    queued = {group.name: group.queue for group in cluster.node_groups if group.queue and group.name in fitting}
    if not queued:
        return
    homes = [each for each in cluster.job_namespaces if each.name == queue.namespace]
    usable = [name for name in dict.fromkeys(queued.values()) if any(each.may_use(name) for each in homes)]
    is_judged = any(queue.namespace in team.namespaces for team in cluster.teams)
    effect = "no member may create it" if is_judged else "Kueue admits jobs for the devices that it uses"
    message = (
        f"{pod.workload} has no label {QUEUE_NAME_LABEL}, and the devices of {listed(list(queued))} are in the quota "
        f"of {listed(list(dict.fromkeys(queued.values())))}: {effect}"
    )
    label = f"add the label {QUEUE_NAME_LABEL}: {usable[0]}" if usable else "move it to a namespace with a queue"
    if pod.requests.get(NEURON_CORE):
        label = f"request {_devices(pod, result, nodes)} {NEURON} instead of cores, and {label}"
    hint = f"{label}, or select a node group without a queue"
    yield Finding(WITHOUT_QUEUE, Location(source), message, hint)
