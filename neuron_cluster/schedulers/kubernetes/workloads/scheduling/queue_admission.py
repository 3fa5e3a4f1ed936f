"""Jobs that Kueue never admits, and pods that use the devices of a queue without it: what the policy of a team rejects
(``software.team_queue_policy``), before anything is submitted.

A ClusterQueue admits no Workload that requests a resource that it does not cover (kubernetes-sigs/kueue@ff69552,
pkg/scheduler/flavorassigner/flavorassigner.go: "resource X unavailable in ClusterQueue"). Pods without a queue label
start at once, and Kueue admits jobs for the same devices.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from msgspec import Struct

from local_kubernetes.model.container_resources import is_extended
from local_kubernetes.model.fields import at, items, text
from local_kubernetes.model.names import DEFAULT_NAMESPACE, NEURON, NEURON_CORE, QUEUE_NAME_LABEL
from local_kubernetes.model.objects import KubernetesObject, labels_of
from local_kubernetes.model.pod_templates import pod_templates
from local_kubernetes.model.scheduling.evaluation import SchedulingResult
from local_kubernetes.model.scheduling.node import NodeInfo
from neuron_cluster.findings.finding import Finding, Location
from neuron_cluster.findings.text import listed
from neuron_cluster.plan.kubernetes_plan import KubernetesPlan
from neuron_cluster.schedulers.kubernetes.software.team_queue_policy import MANAGED_BY_POD
from neuron_cluster.schedulers.kubernetes.workloads.scheduling.unlabelled_pods import (
    PODS_OF_NO_OWNER,
    devices_of_pod,
    unlabelled_findings,
)

NOT_COVERED, NO_SUCH_QUEUE = "E9308", "E9312"


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
    """E9308, W9309 and E9312, for each workload of the manifests. ``nodes`` are empty ones."""
    queues = {place: queue for _, objects in manifests for place, queue in _queues_of(objects, cluster)}
    given = {place for _, objects in manifests for place in _given_queues(objects)}
    for source, result in results:
        queue = queues.get(result.pod.owner)
        if queue is None:
            continue
        if queue.covered is not None:
            yield from _not_covered(source, result, queue, nodes)
        elif not queue.name:
            yield from unlabelled_findings(source, result, queue.namespace, nodes, cluster)
        elif (queue.namespace, queue.name) not in given:
            yield from _no_such_queue(source, result, queue, cluster)


def queue_label(body: Mapping[str, Any]) -> str:
    """The LocalQueue that admits the pods of an object; empty for none. Of a CronJob, the one of its jobs; of a
    Deployment its own or that of its pods, of a ReplicaSet or DaemonSet that of its pods."""
    owner = KubernetesObject(body, "")
    holders: list[Any] = [at(body, "spec", "jobTemplate") if owner.kind == "CronJob" else body]
    if owner.kind in PODS_OF_NO_OWNER:
        holders = []
    if owner.kind in (*MANAGED_BY_POD, *PODS_OF_NO_OWNER):
        holders += [template.body for template in pod_templates(owner)]
    return next((name for each in holders if (name := labels_of(each).get(QUEUE_NAME_LABEL))), "")


def _queues_of(objects: Sequence[Mapping[str, Any]], cluster: KubernetesPlan) -> Iterator[tuple[str, QueueOfJob]]:
    """Yields queues of workloads, each with the name with which pods state their workload."""
    covered = covered_resources(cluster)
    for body in objects:
        owner = KubernetesObject(body, text(at(body, "metadata", "namespace")) or DEFAULT_NAMESPACE)
        name = queue_label(body)
        queue = QueueOfJob(owner.namespace, name, covered.get((owner.namespace, name)))
        yield owner.workload, queue


def _given_queues(objects: Sequence[Mapping[str, Any]]) -> Iterator[tuple[str, str]]:
    """LocalQueues of the user."""
    for body in objects:
        if body.get("kind") == "LocalQueue":
            owner = KubernetesObject(body, text(at(body, "metadata", "namespace")) or DEFAULT_NAMESPACE)
            yield owner.namespace, owner.name


def covered_resources(cluster: KubernetesPlan) -> Mapping[tuple[str, str], tuple[str, ...]]:
    """Returns the resources that the ClusterQueue of a LocalQueue counts, by namespace and name of the LocalQueue."""
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
            hint = f"request {devices_of_pod(pod, result, nodes)} {NEURON} instead of {pod.requests[name]} {name}"
        yield Finding(NOT_COVERED, Location(source), message, hint)


def _no_such_queue(
    source: str, result: SchedulingResult, queue: QueueOfJob, cluster: KubernetesPlan
) -> Iterator[Finding]:
    """Where Kueue is of this toolkit; the label has no effect without it."""
    known = covered_resources(cluster)
    if not known:
        return
    own = sorted(name for namespace, name in known if namespace == queue.namespace)
    message = (
        f"{result.pod.workload} has the label {QUEUE_NAME_LABEL}: {queue.name}, and namespace {queue.namespace} has "
        f"{f'the queues {listed(own)} alone' if own else 'no queue'}: Kueue never admits it"
    )
    others = sorted({namespace for namespace, name in known if name == queue.name})
    hint = f"label it {QUEUE_NAME_LABEL}: {' or '.join(own)}" if own else "leave the label out"
    if others:
        hint += f", or move it to a namespace with queue {queue.name}: {listed(others)}"
    yield Finding(NO_SUCH_QUEUE, Location(source), message, hint)
