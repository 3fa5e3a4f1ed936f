"""Pods that take several Neuron devices or cores of a node, and not all: which ones they get, the scheduler chooses.

Kubernetes counts devices and does not know which of them are connected. The Neuron scheduler extension does, and is
asked for "Pods that request more than one Neuron core or device resource"; it matters for subsets, not for whole nodes
(https://awsdocs-neuron.readthedocs-hosted.com/en/latest/deploy/infrastructure/scheduler.html).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from neuron_cluster.kubernetes.names import NEURON, NEURON_CORE
from neuron_cluster.schedule.node_shape import NodeShape
from neuron_cluster.schedule.pod_shape import PodShape
from neuron_cluster.schedule.schedulers import DEFAULT

SWITCH = "eks.addons.neuron_scheduler"


def scattered_devices(pod: PodShape, nodes: Sequence[NodeShape]) -> str:
    """What the pod may get of the ``nodes``, on which it fits, that need not lie side by side; empty for nothing."""
    if pod.scheduler not in ("", DEFAULT):
        return ""
    return "; ".join(part for node in nodes for part in _parts(pod, node))


def way_out(known: Sequence[str]) -> str:
    """What helps, where these are the schedulers of the cluster."""
    others = [name for name in known if name != DEFAULT]
    other = "ask for one device or for a whole node"
    if others:
        return f"write schedulerName: {others[0]}, or {other}"
    return f"set {SWITCH}: true, which brings the scheduler that this hint names then, or {other}"


def _parts(pod: PodShape, node: NodeShape) -> Iterator[str]:
    for name in (NEURON, NEURON_CORE):
        asked, has = pod.requests.get(name, 0), node.allocatable.get(name, 0)
        if 1 < asked < has:
            yield f"{asked} of the {has} {name} of a node of {node.group}"
