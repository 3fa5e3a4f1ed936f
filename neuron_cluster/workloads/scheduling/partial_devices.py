"""Pods that request several Neuron devices or cores of a node, but not all of them.

Kubernetes counts devices and has no information on which of them are connected. The Neuron scheduler extension does.
AWS requires it for "Pods that request more than one Neuron core or device resource"; it matters for parts of a node
only (https://awsdocs-neuron.readthedocs-hosted.com/en/latest/deploy/infrastructure/scheduler.html).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from neuron_cluster.kubernetes.names import NEURON, NEURON_CORE
from neuron_cluster.kubernetes.scheduling.node import NodeInfo
from neuron_cluster.kubernetes.scheduling.pod import DEFAULT_SCHEDULER, PodInfo

SCHEDULER_FLAG = ("addons", "neuron_scheduler")
"""Below the section of the cluster."""


def partial_devices(pod: PodInfo, nodes: Sequence[NodeInfo]) -> str:
    """Devices of the ``nodes`` that the pod may get without a connection between them; empty for none."""
    if pod.scheduler not in ("", DEFAULT_SCHEDULER):
        return ""
    return "; ".join(part for node in nodes for part in _parts(pod, node))


def hint_for_partial_devices(schedulers: Sequence[str], flag: str) -> str:
    """``schedulers`` are those of the cluster, ``flag`` is the key that adds the one of Neuron."""
    others = [name for name in schedulers if name != DEFAULT_SCHEDULER]
    other = "request one device or a whole node"
    if others:
        return f"write schedulerName: {others[0]}, or {other}"
    return f"set {flag}: true and then the schedulerName that this hint names, or {other}"


def _parts(pod: PodInfo, node: NodeInfo) -> Iterator[str]:
    for name in (NEURON, NEURON_CORE):
        requested, free = pod.requests.get(name, 0), node.count_of(name)
        if 1 < requested < free:
            yield f"{requested} of the {free} {name} of a node of {node.group}"
