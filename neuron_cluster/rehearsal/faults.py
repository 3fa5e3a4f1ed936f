"""Faults that a rehearsal can cause."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING

from msgspec import Struct

from neuron_cluster.rehearsal.cluster import node_life
from neuron_cluster.rehearsal.cluster.client import CLIENT
from neuron_cluster.rehearsal.cluster.objects import Node, NodeState, Pod
from neuron_cluster.rehearsal.cluster.pod_faults import FileError
from neuron_cluster.rehearsal.fault import Fault, NothingToHitError
from neuron_cluster.rehearsal.timeline import Source

if TYPE_CHECKING:
    from neuron_cluster.rehearsal.rehearsal import Rehearsal


class FaultKind(Struct, frozen=True):
    """``cause`` makes it happen, or raises ``NothingToHitError``."""

    summary: str
    cause: Callable[[Rehearsal, Fault], None]
    at_start: bool = False
    """Where no time is given: before anything runs."""
    hits_pod: bool = False
    """One pod, or the node of one pod."""
    lasts: int | None = None
    """How long in seconds, where the user gives no duration; None: without an end, or one of its own."""


def _lasts(fault: Fault) -> int:
    """In seconds."""
    return (fault.lasts if fault.lasts is not None else FAULTS[fault.name].lasts) or 0


def _victim(rehearsal: Rehearsal, fault: Fault) -> Pod:
    """The running pod with the index of the fault, or the highest one: not the first pod, which others wait for."""
    pods = (pod for pod in rehearsal.world.live_pods() if pod.owner != CLIENT)
    running = [pod for pod in pods if pod.is_ready and pod.deletes_at is None and fault.pod in (None, pod.index)]
    if not running:
        raise NothingToHitError("no pod was Ready" if fault.pod is None else f"no pod with index {fault.pod} was Ready")
    return max(running, key=lambda pod: (pod.index or 0, pod.name))


def _node(rehearsal: Rehearsal, fault: Fault) -> Node:
    node = _victim(rehearsal, fault).node
    if node is None:
        raise NothingToHitError("no pod was on a node")
    return node


def _lose_node(rehearsal: Rehearsal, fault: Fault) -> None:
    node = _node(rehearsal, fault)
    rehearsal.kubelets.freeze(node)
    node_life.lose(node, rehearsal.world)


def _drain_node(rehearsal: Rehearsal, fault: Fault) -> None:
    node_life.drain(_node(rehearsal, fault), rehearsal.world)


def _delay_node(rehearsal: Rehearsal, fault: Fault) -> None:
    """Spare nodes are late too: the pods would start there."""
    world = rehearsal.world
    nodes = world.present_nodes()
    late = nodes[min(rehearsal.wanted_pods, len(nodes)) - 1 :]
    for node in late:
        node.state = NodeState.STARTING
    world.timeline.record(Source.FAULT, late[0].name, "NodeLate", f"joins after {_lasts(fault)} s")

    def join() -> None:
        for node in late:
            node.state = NodeState.READY
        world.timeline.record(Source.NODE, late[0].name, "Ready")

    world.agenda.after(_lasts(fault), join)


def _end_block(rehearsal: Rehearsal, _fault: Fault) -> None:
    for node in rehearsal.world.present_nodes():
        rehearsal.kubelets.freeze(node)
        node_life.lose(node, rehearsal.world, is_replaced=False)


def _update_server(rehearsal: Rehearsal, _fault: Fault) -> None:
    if not rehearsal.deployments.deployments and not rehearsal.daemon_sets.daemon_sets:
        raise NothingToHitError("the workload has no Deployment or DaemonSet")
    for deployment in rehearsal.deployments.deployments:
        rehearsal.world.timeline.record(Source.FAULT, deployment.name, "ServerUpdated", "another pod template")
        rehearsal.deployments.update(deployment)
    for daemon_set in rehearsal.daemon_sets.daemon_sets:
        rehearsal.world.timeline.record(Source.FAULT, daemon_set.name, "ServerUpdated", "another pod template")
        rehearsal.daemon_sets.update(daemon_set)


def _require_queue(rehearsal: Rehearsal) -> None:
    if not rehearsal.queues.workloads:
        raise NothingToHitError("the workload is in no queue")


def _preempt(rehearsal: Rehearsal, fault: Fault) -> None:
    _require_queue(rehearsal)
    if not rehearsal.queues.uses_quota:
        raise NothingToHitError("the workload uses nothing of the queue's quota, so that no other one needs its place")
    rehearsal.world.timeline.record(Source.FAULT, "queue", "HigherPriority", "a workload takes the whole quota")
    rehearsal.queues.preempt(_lasts(fault))


def _stop_queue(rehearsal: Rehearsal, fault: Fault) -> None:
    _require_queue(rehearsal)
    rehearsal.world.timeline.record(Source.FAULT, "queue", "QueueStopped", "stopPolicy HoldAndDrain")
    rehearsal.queues.stop(_lasts(fault))


def _kill_pod(rehearsal: Rehearsal, fault: Fault) -> None:
    victim = _victim(rehearsal, fault)
    rehearsal.world.timeline.record(Source.FAULT, victim.name, "OOMKilled", "SIGKILL to the container")
    rehearsal.kubelets.kill(victim.main_containers[0])


def _hang_pod(rehearsal: Rehearsal, fault: Fault) -> None:
    victim = _victim(rehearsal, fault)
    rehearsal.world.timeline.record(Source.FAULT, victim.name, "Hangs", f"its programs stop for {_lasts(fault)} s")
    processes = rehearsal.kubelets.hang(victim)

    def go_on() -> None:
        if any(each.process in processes for each in victim.containers):
            rehearsal.world.timeline.record(Source.FAULT, victim.name, "GoesOn")
            for process in processes:
                process.thaw()

    rehearsal.world.agenda.after(_lasts(fault), go_on)


def _fail_device(rehearsal: Rehearsal, fault: Fault) -> None:
    victim, node = _victim(rehearsal, fault), _node(rehearsal, fault)
    if not victim.neuron_devices:
        raise NothingToHitError(f"{victim.name} uses no Neuron device")
    rehearsal.world.timeline.record(Source.FAULT, victim.name, "DeviceError", "a Neuron device reports an error")
    rehearsal.pod_faults.fail_device(victim, node)


def _fail_files(error: str, reason: str, *, writes_only: bool) -> Callable[[Rehearsal, Fault], None]:
    def cause(rehearsal: Rehearsal, fault: Fault) -> None:
        if not rehearsal.world.claims:
            raise NothingToHitError("the workload mounts no claim")
        errors = [FileError(error, claim, writes_only) for claim in rehearsal.world.claims]
        rehearsal.world.timeline.record(Source.FAULT, ", ".join(rehearsal.world.claims), reason, error)
        rehearsal.pod_faults.file_errors += errors

        def heal() -> None:
            for each in errors:
                rehearsal.pod_faults.file_errors.remove(each)
            rehearsal.world.timeline.record(Source.FAULT, ", ".join(rehearsal.world.claims), "FileSystemHealed")

        rehearsal.world.agenda.after(_lasts(fault), heal)

    return cause


FAULTS: Mapping[str, FaultKind] = MappingProxyType(
    {
        "node-lost": FaultKind(
            "an instance stops without a sign; EC2 Auto Scaling or HyperPod replaces it", _lose_node, hits_pod=True
        ),
        "node-drained": FaultKind(
            "a node is cordoned and drained, as before a repair or an update", _drain_node, hits_pod=True
        ),
        "node-late": FaultKind(
            "the last node that the workload needs joins later than the others", _delay_node, at_start=True, lasts=2400
        ),
        "block-ended": FaultKind("a capacity block ends: all instances stop, and none follows", _end_block),
        "preempted": FaultKind("a workload of a higher priority takes the queue's quota", _preempt, lasts=1200),
        "queue-stopped": FaultKind("the ClusterQueue gets stopPolicy HoldAndDrain", _stop_queue, lasts=1200),
        "server-updated": FaultKind(
            "a Deployment or DaemonSet gets another pod template: a rolling update", _update_server
        ),
        "pod-killed": FaultKind("the kernel kills the container of a pod (out of memory)", _kill_pod, hits_pod=True),
        "pod-hung": FaultKind(
            "the programs of a pod stop, as on a file system that does not answer; its node stays Ready",
            _hang_pod,
            hits_pod=True,
            lasts=3600,
        ),
        "device-error": FaultKind(
            "a Neuron device reports an error that cannot be corrected", _fail_device, hits_pod=True
        ),
        "disk-full": FaultKind(
            "the file systems of the claims are full, until someone makes room",
            _fail_files("ENOSPC", "FileSystemFull", writes_only=True),
            lasts=600,
        ),
        "stale-files": FaultKind(
            "file handles of the claims are stale, until the server that failed over is back",
            _fail_files("ESTALE", "StaleFileHandles", writes_only=False),
            lasts=600,
        ),
    }
)
"""Faults by name, as the command line has them."""
