"""Places pods on nodes: the filters of kube-scheduler, and required anti-affinity between pods of one node."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

from msgspec.structs import replace

from local_kubernetes.model.fields import at, items, text_pairs
from local_kubernetes.model.hyperpod import HEALTH_TAINT
from local_kubernetes.model.scheduling.filters import unschedulable_reasons
from local_kubernetes.model.scheduling.node import NodeInfo
from neuron_cluster.rehearsal.cluster.objects import Node, NodeState, Pod
from neuron_cluster.rehearsal.cluster.ultraservers import violates_exclusive_topology
from neuron_cluster.rehearsal.cluster.world import World
from neuron_cluster.rehearsal.timeline import Source

HOST_NAME = "kubernetes.io/hostname"


def schedule(world: World) -> None:
    """Binds each pod without a node to the first node that it fits on; records why one stays Pending, once."""
    for pod in world.live_pods():
        if pod.node is not None or pod.is_gated or not pod.is_active:
            continue
        reason = _missing_claim(pod, world) or _bind(pod, world)
        if reason and reason != pod.message:
            world.timeline.record(Source.SCHEDULER, pod.name, "FailedScheduling", reason)
        pod.message = reason


def _missing_claim(pod: Pod, world: World) -> str:
    missing = sorted({claim for claim in pod.claims.values() if claim not in world.claims})
    return f'persistentvolumeclaim "{missing[0]}" not found' if missing else ""


def _bind(pod: Pod, world: World) -> str:
    """Why it stays Pending; empty where it was bound."""
    reasons: Counter[str] = Counter()
    for node in world.present_nodes():
        reason = _reason_against(pod, node, world)
        if reason is None:
            pod.node = node
            world.timeline.record(Source.SCHEDULER, pod.name, "Scheduled", f"on {node.name}")
            return ""
        reasons[reason] += 1
    shown = ", ".join(f"{count} {reason}" for reason, count in reasons.items())
    return f"0/{len(world.present_nodes())} nodes are available: {shown or 'there is none'}"


def _reason_against(pod: Pod, node: Node, world: World) -> str | None:
    """In the words of kube-scheduler where it has some; None where the pod fits."""
    if pod.only_node not in (None, node):
        return "node(s) didn't match Pod's node affinity/selector"
    if pod.only_node is None and not node.is_schedulable:
        return _why_unschedulable(node)
    if any(_repels(term, each) for term in _anti_affinity(pod) for each in world.pods_on(node) if not each.is_terminal):
        return "node(s) didn't match pod anti-affinity rules"
    if violates_exclusive_topology(pod, node, world):
        return "node(s) didn't match pod affinity rules"
    found = list(unschedulable_reasons(pod.info, free_of(node, world)))
    return found[0].message if found else None


def _why_unschedulable(node: Node) -> str:
    if node.is_cordoned:
        return "node(s) were unschedulable"
    if node.has_health_taint and node.state is NodeState.READY:
        return f"node(s) had untolerated taint {{{HEALTH_TAINT.key}: {HEALTH_TAINT.value}}}"
    return "node(s) were not ready"


def free_of(node: Node, world: World) -> NodeInfo:
    """The node without what its pods request and claim."""
    used: Counter[str] = Counter()
    claimed: Counter[str] = Counter()
    for pod in world.pods_on(node):
        if not pod.is_terminal:
            used.update(pod.info.requests)
            claimed.update(
                {each.device_class: pod.neuron_devices for claim in pod.info.claims for each in claim.devices}
            )
    free = {name: amount - used[name] for name, amount in node.info.allocatable.items()}
    claimable = {name: None if count is None else count - claimed[name] for name, count in node.info.claimable.items()}
    return replace(node.info, allocatable=free, claimable=claimable)


def _anti_affinity(pod: Pod) -> Iterator[Mapping[str, str]]:
    """The labels of pods that it does not share a node with."""
    path = ("affinity", "podAntiAffinity", "requiredDuringSchedulingIgnoredDuringExecution")
    for term in items(at(pod.spec, *path)):
        if at(term, "topologyKey") == HOST_NAME:
            yield text_pairs(at(term, "labelSelector", "matchLabels"))


def _repels(labels: Mapping[str, str], other: Pod) -> bool:
    return bool(labels) and all(other.labels.get(name) == value for name, value in labels.items())


def unmodelled(spec: Mapping[str, Any]) -> Iterator[str]:
    """Constraints of a pod that are not evaluated here."""
    if at(spec, "affinity", "podAffinity", "requiredDuringSchedulingIgnoredDuringExecution"):
        yield "required pod affinity"
    if items(at(spec, "topologySpreadConstraints")):
        yield "topology spread constraints"
