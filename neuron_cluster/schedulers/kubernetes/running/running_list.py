"""The releases of bundled charts in a cluster: state, queue, nodes, age and price of each."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from msgspec import Struct

from local_kubernetes.model.fields import at, items, whole_number
from local_kubernetes.model.names import INSTANCE_TYPE_LABEL, NEURON, NEURON_RESOURCES
from local_kubernetes.model.neuron_devices import cores_per_device, requested_devices
from local_kubernetes.model.objects import labels_of
from neuron_cluster.catalog.catalog import Catalog
from neuron_cluster.schedulers.kubernetes.running.cluster_state import ClusterState, Object, holds, name_of
from neuron_cluster.schedulers.kubernetes.running.controller_kind import expected_pods
from neuron_cluster.schedulers.kubernetes.running.diagnosis import state_of
from neuron_cluster.schedulers.kubernetes.running.release import Release
from neuron_cluster.schedulers.kubernetes.running.situation import is_active, node_of


class RunningRelease(Struct, frozen=True, kw_only=True):
    """``usd_hour`` is None where a type has no known price, 0 without a node with Neuron devices."""

    release: str
    namespace: str
    chart: str
    state: str
    queue: str
    nodes: int
    ready_pods: int
    expected_pods: int
    age_seconds: float
    usd_hour: float | None


def running_releases(
    releases: Iterable[Release], state: ClusterState, catalog: Catalog, region: str
) -> list[RunningRelease]:
    """Returns the releases: those that have not completed first, the oldest first."""
    found = [
        RunningRelease(
            release=release.name,
            namespace=release.namespace,
            chart=release.chart,
            state=state_of(release),
            queue=release.queue,
            nodes=len({node_of(pod) for pod in release.pods if node_of(pod)}),
            ready_pods=sum(holds(pod, "Ready") for pod in release.pods),
            expected_pods=sum(map(expected_pods, release.controllers)),
            age_seconds=state.seconds_since(release.created_at),
            usd_hour=_usd_hour(release, state, catalog, region),
        )
        for release in releases
    ]
    return sorted(found, key=lambda each: (each.state == "completed", -each.age_seconds))


def _usd_hour(release: Release, state: ClusterState, catalog: Catalog, region: str) -> float | None:
    """The share of each node's Neuron devices that the pods hold, at the reference on-demand price of the node."""
    total = 0.0
    for share, node in _shares(release, state):
        row = catalog.instance_types.get(labels_of(node).get(INSTANCE_TYPE_LABEL, ""))
        usd = row.on_demand_price(region) if row is not None else None
        if usd is None:
            return None
        total += share * usd
    return round(total, 4)


def _shares(release: Release, state: ClusterState) -> Iterator[tuple[float, Object]]:
    """Each node with Neuron devices once. A pod with a ResourceClaim counts as the whole node."""
    nodes = {name_of(body): body for body in state.of_kind("Node")}
    for name in sorted({node_of(pod) for pod in release.pods if node_of(pod) in nodes and is_active(pod)}):
        pods = [pod for pod in release.pods if node_of(pod) == name and is_active(pod)]
        allocatable = _amounts(at(nodes[name], "status", "allocatable"))
        devices = allocatable.get(NEURON, 0)
        held = sum(_devices(pod, cores_per_device(allocatable)) for pod in pods)
        if any(items(at(pod, "spec", "resourceClaims")) for pod in pods):
            yield 1.0, nodes[name]
        elif devices and held:
            yield min(held / devices, 1.0), nodes[name]


def _devices(pod: Object, cores: int) -> int:
    """``cores`` of each device."""
    requests = (_amounts(at(each, "resources", "requests")) for each in items(at(pod, "spec", "containers")))
    return sum(requested_devices(each, cores) for each in requests)


def _amounts(resources: Object | None) -> dict[str, int]:
    """Returns the amounts of Neuron devices and cores."""
    return {name: whole_number(at(resources, name)) or 0 for name in NEURON_RESOURCES}
