"""The free allocatable of nodes: allocatable resources minus what DaemonSets request. Nothing else computes it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from msgspec.structs import replace

from local_kubernetes.model.scheduling.dynamic_resources import pods_by_claims
from local_kubernetes.model.scheduling.filters import unschedulable_reasons
from local_kubernetes.model.scheduling.node import NodeInfo
from local_kubernetes.model.scheduling.pod import PodInfo


def free_allocatable(nodes: Iterable[NodeInfo], pods: Iterable[PodInfo]) -> tuple[NodeInfo, ...]:
    """The nodes minus the requests of those DaemonSets among ``pods`` that run on them; below 0 where these request
    more than there is. With the devices that DRA drivers among them publish."""
    daemon_sets = [pod for pod in pods if pod.kind == "DaemonSet"]
    running = ((node, [pod for pod in daemon_sets if not unschedulable_reasons(pod, node)]) for node in nodes)
    return tuple(_minus(_with_published_devices(node, own), own) for node, own in running)


def with_requests_of(node: NodeInfo, pod: PodInfo) -> NodeInfo:
    """The node as this DaemonSet itself finds it: plus its own requests."""
    return _changed(node, pod.requests, 1)


def pods_per_node(pod: PodInfo, node: NodeInfo) -> int | None:
    """How many of these pods one node holds at once; None where nothing that they request is counted."""
    counts = [
        node.allocatable[name] // requested
        for name, requested in pod.requests.items()
        if requested and name in node.allocatable
    ]
    return min([*counts, *pods_by_claims(pod, node)], default=None)


def _with_published_devices(node: NodeInfo, daemon_sets: Iterable[PodInfo]) -> NodeInfo:
    """With what DRA drivers among the DaemonSets publish: the node's Neuron devices."""
    classes = [pod.device_class for pod in daemon_sets if pod.device_class is not None]
    return replace(node, claimable=dict.fromkeys(classes, node.neuron_devices) if node.is_neuron else {})


def _minus(node: NodeInfo, daemon_sets: Sequence[PodInfo]) -> NodeInfo:
    requested = {name: sum(pod.requests.get(name, 0) for pod in daemon_sets) for name in node.allocatable}
    return replace(_changed(node, requested, -1), daemon_sets=tuple(pod.workload for pod in daemon_sets))


def _changed(node: NodeInfo, amounts: Mapping[str, int], sign: int) -> NodeInfo:
    allocatable, upper_bounds = (
        {name: amount + sign * amounts.get(name, 0) for name, amount in every.items()}
        for every in (node.allocatable, node.upper_bounds)
    )
    return replace(node, allocatable=allocatable, upper_bounds=upper_bounds)
