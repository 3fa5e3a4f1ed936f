"""Nodes that fail: what their pods see, and when the controllers act. Kubelets of silent nodes do nothing."""

from __future__ import annotations

import signal
from collections.abc import Iterator

from local_kubernetes.model.fields import at, items
from local_kubernetes.model.node_recovery import EC2_AUTO_SCALING, NodeRecovery
from neuron_cluster.rehearsal.cluster.objects import Node, NodeState, Phase, Pod
from neuron_cluster.rehearsal.cluster.world import World
from neuron_cluster.rehearsal.timeline import Source

UNREACHABLE = "node.kubernetes.io/unreachable"
BY_TAINT, BY_GARBAGE_COLLECTION, BY_EVICTION = "DeletionByTaintManager", "DeletionByPodGC", "EvictionByEvictionAPI"
"""Reasons of the condition DisruptionTarget (Kubernetes documentation, Disruptions, pod disruption conditions)."""


def lose(node: Node, world: World, *, is_replaced: bool = True) -> None:
    """The instance stops without a sign. Its service replaces it later; without one the Node object stays NotReady."""
    node.state = NodeState.SILENT
    world.timeline.record(Source.FAULT, node.name, "NodeLost", "the instance stops; its kubelet reports no more")
    seconds = world.seconds
    world.agenda.after(seconds["node_monitor_grace_period"], lambda: _taint(node, world))
    recovery = node.recovery if is_replaced else EC2_AUTO_SCALING  # a block that ends takes every instance
    if recovery is None:
        world.timeline.record(Source.NODE, node.name, "NotReplaced", "node recovery is off: the node stays as it is")
    else:
        world.agenda.after(seconds[recovery.after], lambda: _delete(node, world, is_replaced=is_replaced))


def replace(node: Node, recovery: NodeRecovery, world: World) -> None:
    """The service ends the instance after its time, without a drain, and starts another one."""
    node.has_health_taint = True
    world.timeline.record(Source.NODE, node.name, "PendingReplacement", f"{recovery.service} replaces the instance")
    world.agenda.after(world.seconds[recovery.after], lambda: _delete(node, world, is_replaced=True))


def _taint(node: Node, world: World) -> None:
    if node.ended_at is not None:
        return
    world.timeline.record(Source.NODE, node.name, "NodeNotReady", f"taint {UNREACHABLE}:NoExecute")
    for pod in world.pods_on(node):
        _mark_not_ready(pod)
        seconds = tolerated_seconds(pod, world.seconds["default_unreachable_toleration"])
        if seconds is not None:
            world.agenda.after(seconds, lambda pod=pod: _evict_by_taint(pod, world))  # type: ignore[misc]


def _mark_not_ready(pod: Pod) -> None:
    """As the node controller does with the pods of a node that is NotReady or gone."""
    for container in pod.containers:
        container.is_ready = False


def _evict_by_taint(pod: Pod, world: World) -> None:
    if pod.node is not None and pod.node.ended_at is None and not pod.is_gone and not pod.is_terminal:
        world.timeline.record(Source.NODE, pod.name, "TaintManagerEviction", "stays Terminating: its kubelet is silent")
        world.delete_pod(pod, disruption=BY_TAINT)


def tolerated_seconds(pod: Pod, default: float) -> float | None:
    """How long the pod stays on an unreachable node; None: always. Its own toleration replaces the default one."""
    own = [each for each in items(at(pod.spec, "tolerations")) if _tolerates(each)]
    if not own:
        return default
    bounded = [float(each["tolerationSeconds"]) for each in own if at(each, "tolerationSeconds") is not None]
    return min(bounded) if bounded else None


def _tolerates(toleration: object) -> bool:
    key, effect = at(toleration, "key"), at(toleration, "effect")
    return key in (UNREACHABLE, None) and effect in ("NoExecute", None)


def _delete(node: Node, world: World, *, is_replaced: bool) -> None:
    """The cloud controller removes the Node of a terminated instance; then its pods are garbage."""
    if node.ended_at is not None:
        return
    node.ended_at = world.clock.now()
    world.timeline.record(Source.NODE, node.name, "DeletingNode", "the instance is terminated")
    world.agenda.after(world.seconds["pod_garbage_collection"], lambda: _collect(node, world))
    if is_replaced:
        world.start_node(node)


def _collect(node: Node, world: World) -> None:
    for pod in world.pods_on(node):
        if not pod.is_terminal:
            pod.phase = Phase.FAILED
            pod.disruption = pod.disruption or BY_GARBAGE_COLLECTION
            world.timeline.record(Source.NODE, pod.name, "PodGC", "the node is gone")
        world.delete_pod(pod, grace_seconds=0)
        world.forget_pod(pod)
        _end_programs(pod)  # A file system takes the locks of a client that is gone.


def _end_programs(pod: Pod) -> None:
    for container in pod.containers:
        if container.process is not None:
            container.process.signal(signal.SIGKILL)


def drain(node: Node, world: World, *, by: Source = Source.FAULT) -> None:
    """``kubectl drain``, or node repair that replaces the instance: cordon, and evict each pod with its grace.

    Pods of DaemonSets stay until the instance ends (kubectl drain --ignore-daemonsets).
    """
    node.is_cordoned = True
    world.timeline.record(by, node.name, "NodeDrained", "cordoned; its pods are evicted")
    for pod in world.pods_on(node):
        if not pod.is_terminal and pod.only_node is None:
            world.timeline.record(Source.NODE, pod.name, "Evicted", f"grace {pod.grace_seconds} s")
            world.delete_pod(pod, disruption=BY_EVICTION)


def replace_when_drained(node: Node, world: World) -> None:
    """The instance ends once no pod is left on it that a drain evicts, and a new one starts."""
    if node.is_cordoned and node.ended_at is None and not list(_running_on(node, world)):
        node.ended_at = world.clock.now()
        world.timeline.record(Source.NODE, node.name, "DeletingNode", "drained; the instance is replaced")
        for pod in world.pods_on(node):
            _mark_not_ready(pod)
            _end_programs(pod)
        world.agenda.after(world.seconds["pod_garbage_collection"], lambda: _collect(node, world))
        world.start_node(node)


def _running_on(node: Node, world: World) -> Iterator[Pod]:
    return (pod for pod in world.pods_on(node) if not pod.is_terminal and pod.only_node is None)
