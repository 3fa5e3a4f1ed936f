"""Faults that a rehearsal can cause, and when."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING

from msgspec import Struct

from neuron_cluster.errors import ToolkitError
from neuron_cluster.findings.suggestions import did_you_mean, suggestions
from neuron_cluster.kubernetes.names import NEURON
from neuron_cluster.rehearsal.cluster import node_life
from neuron_cluster.rehearsal.cluster.client import CLIENT
from neuron_cluster.rehearsal.cluster.objects import Node, NodeState, Pod
from neuron_cluster.rehearsal.cluster.pod_faults import FileError
from neuron_cluster.rehearsal.timeline import Source

if TYPE_CHECKING:
    from neuron_cluster.rehearsal.rehearsal import Rehearsal

_MOMENT = re.compile(r"(?P<seconds>[0-9]+)(?P<unit>s|m|h)|step=(?P<step>[0-9]+)")
LATE_SECONDS, PREEMPTED_SECONDS = 2400, 1200
"""How late a node is that joins last, and how long a workload of a higher priority runs."""
UNITS = MappingProxyType({"s": 1, "m": 60, "h": 3600})
FILE_SYSTEM_HEALS_SECONDS = 600
"""How long a file system stays full or stale: until someone makes room, or the server is back."""


class Fault(Struct, frozen=True):
    """When: at ``seconds`` since the start, after ``step``, or in the middle of the run where both are None."""

    name: str
    seconds: int | None = None
    step: int | None = None

    def __str__(self) -> str:
        """As the command line has it."""
        if self.step is not None:
            return f"{self.name}@step={self.step}"
        return self.name if self.seconds is None else f"{self.name}@{self.seconds}s"


class NothingToHitError(Exception):
    """The cluster has nothing that this fault could happen to, for the reason that the message gives."""


class FaultKind(Struct, frozen=True):
    """``cause`` makes it happen, or raises ``NothingToHitError``."""

    summary: str
    cause: Callable[[Rehearsal], None]
    at_start: bool = False
    """Where no time is given: before anything runs."""


def read_fault(text: str) -> Fault:
    """``node-lost``, ``node-lost@25m``, ``node-lost@step=12``. Raises ``ToolkitError``."""
    name, at_sign, moment = text.partition("@")
    if name not in FAULTS:
        near = did_you_mean(suggestions(name, FAULTS))
        raise ToolkitError(f"--fault {name!r} is not a fault", hint=f"{near}faults: {', '.join(FAULTS)}")
    if not at_sign:
        return Fault(name, seconds=0 if FAULTS[name].at_start else None)
    found = _MOMENT.fullmatch(moment)
    if found is None:
        raise ToolkitError(f"--fault {text!r}: {moment!r} is not a time", hint="write 90s, 25m, 2h or step=12")
    if found["step"] is not None:
        return Fault(name, step=int(found["step"]))
    return Fault(name, seconds=int(found["seconds"]) * UNITS[found["unit"]])


def _victim(rehearsal: Rehearsal) -> Pod:
    """The running pod with the highest index: not the first one, which others wait for."""
    pods = (pod for pod in rehearsal.world.live_pods() if pod.owner != CLIENT)
    running = [pod for pod in pods if pod.is_ready and pod.deletes_at is None]
    if not running:
        raise NothingToHitError("no pod was Ready")
    return max(running, key=lambda pod: (pod.index or 0, pod.name))


def _node(rehearsal: Rehearsal) -> Node:
    node = _victim(rehearsal).node
    if node is None:
        raise NothingToHitError("no pod was on a node")
    return node


def _lose_node(rehearsal: Rehearsal) -> None:
    node = _node(rehearsal)
    rehearsal.kubelets.freeze(node)
    node_life.lose(node, rehearsal.world)


def _drain_node(rehearsal: Rehearsal) -> None:
    node_life.drain(_node(rehearsal), rehearsal.world)


def _delay_node(rehearsal: Rehearsal) -> None:
    world = rehearsal.world
    node = world.present_nodes()[-1]
    node.state = NodeState.STARTING
    world.timeline.record(Source.FAULT, node.name, "NodeLate", f"joins after {LATE_SECONDS} s")

    def join() -> None:
        node.state = NodeState.READY
        world.timeline.record(Source.NODE, node.name, "Ready")

    world.agenda.after(LATE_SECONDS, join)


def _end_block(rehearsal: Rehearsal) -> None:
    for node in rehearsal.world.present_nodes():
        rehearsal.kubelets.freeze(node)
        node_life.lose(node, rehearsal.world, is_replaced=False)


def _update_server(rehearsal: Rehearsal) -> None:
    if not rehearsal.deployments.deployments:
        raise NothingToHitError("the workload has no Deployment")
    for deployment in rehearsal.deployments.deployments:
        rehearsal.world.timeline.record(Source.FAULT, deployment.name, "ServerUpdated", "another pod template")
        rehearsal.deployments.update(deployment)


def _preempt(rehearsal: Rehearsal) -> None:
    if not rehearsal.queues.workloads:
        raise NothingToHitError("the workload is in no queue")
    rehearsal.world.timeline.record(Source.FAULT, "queue", "HigherPriority", "a workload takes the whole quota")
    rehearsal.queues.preempt(PREEMPTED_SECONDS)


def _kill_pod(rehearsal: Rehearsal) -> None:
    victim = _victim(rehearsal)
    rehearsal.world.timeline.record(Source.FAULT, victim.name, "OOMKilled", "SIGKILL to the container")
    rehearsal.kubelets.kill(victim.main_containers[0])


def _fail_device(rehearsal: Rehearsal) -> None:
    victim = _victim(rehearsal)
    if not victim.info.requests.get(NEURON, 0):
        raise NothingToHitError(f"{victim.name} uses no Neuron device")
    rehearsal.world.timeline.record(Source.FAULT, victim.name, "DeviceError", "a Neuron device reports an error")
    rehearsal.pod_faults.fail_device(victim)


def _fail_files(error: str, reason: str, *, writes_only: bool) -> Callable[[Rehearsal], None]:
    def cause(rehearsal: Rehearsal) -> None:
        if not rehearsal.world.claims:
            raise NothingToHitError("the workload mounts no claim")
        errors = [FileError(error, claim, writes_only) for claim in rehearsal.world.claims]
        rehearsal.world.timeline.record(Source.FAULT, ", ".join(rehearsal.world.claims), reason, error)
        rehearsal.pod_faults.file_errors += errors

        def heal() -> None:
            for each in errors:
                rehearsal.pod_faults.file_errors.remove(each)
            rehearsal.world.timeline.record(Source.FAULT, ", ".join(rehearsal.world.claims), "FileSystemHealed")

        rehearsal.world.agenda.after(FILE_SYSTEM_HEALS_SECONDS, heal)

    return cause


FAULTS: Mapping[str, FaultKind] = MappingProxyType(
    {
        "node-lost": FaultKind("an instance stops without a sign; EC2 Auto Scaling replaces it", _lose_node),
        "node-drained": FaultKind("a node is cordoned and drained, as before a repair or an update", _drain_node),
        "node-late": FaultKind("a node joins 40 minutes after the others", _delay_node, at_start=True),
        "block-ended": FaultKind("a capacity block ends: all instances stop, and none follows", _end_block),
        "preempted": FaultKind("a workload of a higher priority takes the queue's quota for 20 minutes", _preempt),
        "server-updated": FaultKind("a Deployment gets another pod template: a rolling update", _update_server),
        "pod-killed": FaultKind("the kernel kills the container of a pod (out of memory)", _kill_pod),
        "device-error": FaultKind("a Neuron device reports an error that cannot be corrected", _fail_device),
        "disk-full": FaultKind(
            "the file systems of the claims are full for ten minutes",
            _fail_files("ENOSPC", "FileSystemFull", writes_only=True),
        ),
        "stale-files": FaultKind(
            "file handles of the claims are stale for ten minutes, as when a server fails over",
            _fail_files("ESTALE", "StaleFileHandles", writes_only=False),
        ),
    }
)
"""By name, as the command line has them."""
