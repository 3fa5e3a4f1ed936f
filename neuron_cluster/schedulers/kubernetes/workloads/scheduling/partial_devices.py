"""Pods that request several Neuron devices or cores of a node, but not all of them.

Kubernetes counts devices and has no information on which of them are connected. The Neuron scheduler extension does,
for the numbers that are connected on the type at all. AWS requires it for "Pods that request more than one Neuron core
or device resource"; it matters for parts of a node only
(https://awsdocs-neuron.readthedocs-hosted.com/en/latest/deploy/infrastructure/scheduler.html).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec import Struct

from local_kubernetes.model.names import INSTANCE_TYPE_LABEL, NEURON, NEURON_CORE
from local_kubernetes.model.neuron_devices import cores_per_device, requested_devices
from local_kubernetes.model.scheduling.node import NodeInfo
from local_kubernetes.model.scheduling.pod import DEFAULT_SCHEDULER, PodInfo
from neuron_cluster.catalog.catalog import Catalog
from neuron_cluster.findings.text import listed

SCHEDULER_FLAG = ("addons", "neuron_scheduler")
"""Below the section of the cluster."""


class PartOfNode(Struct, frozen=True):
    """The request of a pod on a node, in words; ``numbers`` are those of connected devices where the request has
    another, which no scheduler can connect."""

    text: str
    numbers: tuple[int, ...] = ()


def partial_devices(pod: PodInfo, nodes: Sequence[NodeInfo], catalog: Catalog) -> tuple[PartOfNode, ...]:
    """Devices of the ``nodes`` that the pod may get without a connection between them."""
    parts = tuple(part for node in nodes for part in _parts(pod, node, catalog))
    if pod.scheduler not in ("", DEFAULT_SCHEDULER):
        return tuple(part for part in parts if part.numbers)
    return parts


def words_of(parts: Sequence[PartOfNode]) -> str:
    """Returns the requests, and why the devices may not be connected."""
    requested = "; ".join(part.text for part in parts)
    numbers = _numbers(parts)
    if numbers:
        return f"{requested}: {listed(numbers, 'or')} devices of such a node are connected, whatever the scheduler is"
    return f"{requested}, and nothing guarantees that they are connected"


def hint_for_partial_devices(parts: Sequence[PartOfNode], schedulers: Sequence[str], flag: str) -> str:
    """``schedulers`` are those of the cluster, ``flag`` is the key that adds the one of Neuron."""
    if numbers := _numbers(parts):
        return f"request {listed(numbers, 'or')} {NEURON}"
    others = [name for name in schedulers if name != DEFAULT_SCHEDULER]
    other = "request one device or a whole node"
    if others:
        return f"write schedulerName: {others[0]}, or {other}"
    return f"set {flag}: true and then the schedulerName that this hint names, or {other}"


def _numbers(parts: Sequence[PartOfNode]) -> tuple[int, ...]:
    """Returns the numbers of the first part that has some: a pod fits on nodes of one type as a rule."""
    return next((part.numbers for part in parts if part.numbers), ())


def _parts(pod: PodInfo, node: NodeInfo, catalog: Catalog) -> Iterator[PartOfNode]:
    connected = catalog.pod_device_counts.of_instance_type(node.labels.get(INSTANCE_TYPE_LABEL, ""))
    devices = requested_devices(pod.requests, cores_per_device(node.allocatable))
    for name in (NEURON, NEURON_CORE):
        requested, free = pod.requests.get(name, 0), node.count_of(name)
        if 1 < requested < free:
            text = f"{requested} of the {free} {name} of a node of {node.group}"
            yield PartOfNode(text, connected if connected and devices not in connected else ())
