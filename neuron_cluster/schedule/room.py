"""The free allocatable of a node: what is left for workloads beside the DaemonSets. The one computation of it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from msgspec.structs import replace

from neuron_cluster.schedule.claim_fit import pods_by_claims
from neuron_cluster.schedule.fit import misfits
from neuron_cluster.schedule.node_shape import NodeShape
from neuron_cluster.schedule.pod_shape import PodShape


def after_daemons(nodes: Sequence[NodeShape], pods: Iterable[PodShape]) -> tuple[NodeShape, ...]:
    """The nodes without what the DaemonSets among ``pods`` that come to them ask for; below 0 where that is
    more than there is. With the devices that DRA drivers among them publish."""
    daemons = [pod for pod in pods if pod.kind == "DaemonSet"]
    coming = ((node, [pod for pod in daemons if not misfits(pod, node)]) for node in nodes)
    return tuple(_without(_with_drivers(node, own), own) for node, own in coming)


def _with_drivers(node: NodeShape, daemons: Iterable[PodShape]) -> NodeShape:
    """The node with what claims can get there: of ``daemons``, which run on it, DRA drivers publish its chips."""
    classes = [pod.device_class for pod in daemons if pod.device_class is not None]
    return replace(node, claimable=dict.fromkeys(classes, node.neuron_devices) if node.neuron_devices != 0 else {})


def given_back(node: NodeShape, pod: PodShape) -> NodeShape:
    """The node as its own daemon finds it: what was subtracted for the daemon is there again."""
    return _changed(node, pod.requests, 1)


def pods_at_once(pod: PodShape, node: NodeShape) -> int | None:
    """How many of these pods one node holds; None where it asks for nothing that is counted."""
    counts = [
        node.allocatable[name] // asked for name, asked in pod.requests.items() if asked and name in node.allocatable
    ]
    return min([*counts, *pods_by_claims(pod, node)], default=None)


def _without(node: NodeShape, daemons: Sequence[PodShape]) -> NodeShape:
    taken = {name: sum(pod.requests.get(name, 0) for pod in daemons) for name in node.allocatable}
    return replace(_changed(node, taken, -1), taken_by=tuple(pod.workload for pod in daemons))


def _changed(node: NodeShape, amounts: Mapping[str, int], sign: int) -> NodeShape:
    allocatable, never_more = (
        {name: has + sign * amounts.get(name, 0) for name, has in every.items()}
        for every in (node.allocatable, node.never_more)
    )
    return replace(node, allocatable=allocatable, never_more=never_more)
