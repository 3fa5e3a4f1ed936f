"""Jobs that request more than their queue can admit while all other jobs wait: quota and what may be borrowed.

Kueue admits the pod sets of a job together, each on one flavor, which is a node group (kubernetes-sigs/kueue@ff69552,
pkg/scheduler/flavorassigner/flavorassigner.go: "insufficient quota", "maximum capacity").
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from msgspec import Struct

from local_kubernetes.model.fields import at, text
from local_kubernetes.model.names import DEFAULT_NAMESPACE, EFA, NEURON
from local_kubernetes.model.objects import KubernetesObject
from local_kubernetes.model.scheduling.pod_reader import pods_of
from neuron_cluster.catalog.catalog import Catalog
from neuron_cluster.findings.finding import Finding, Location
from neuron_cluster.plan.kubernetes_plan import KubernetesPlan
from neuron_cluster.plan.node_group_plan import NodeGroupPlan
from neuron_cluster.plan.team import Team
from neuron_cluster.plan.team_share import TeamShare, team_share
from neuron_cluster.schedulers.kubernetes.software.admission_queues import devices_of_node
from neuron_cluster.schedulers.kubernetes.software.team_queue_policy import MANAGED_BY_POD
from neuron_cluster.schedulers.kubernetes.workloads.scheduling.queue_admission import queue_label
from neuron_cluster.schedulers.kubernetes.workloads.scheduling.unlabelled_pods import PODS_OF_NO_OWNER

NEVER, NOT_NOW = "E9363", "W9364"
AT_MAXIMUM, AT_DESIRED = "count.max", "count.desired"


class QueueCapacity(Struct, frozen=True):
    """The most that a queue admits of one resource, at one size of its groups."""

    nodes: str
    """Key of the size: ``count.desired`` or ``count.max``."""
    share: TeamShare
    """The share of the group with the most."""
    summed: int
    """Over the groups."""
    installed: int
    """The amount on the nodes of the group with the most."""


class BeyondCapacity(Struct, frozen=True):
    """A job that requests more of a resource than its queue admits."""

    owner: KubernetesObject
    queue: str
    resource: str
    requested: int
    admitted: int
    capacity: QueueCapacity

    @property
    def never(self) -> bool:
        return self.capacity.nodes == AT_MAXIMUM

    @property
    def text(self) -> str:
        share = self.capacity.share
        amounts = f"{self.requested} {self.resource} requested, {self.admitted} at most"
        own = f"at {self.capacity.nodes} the quota is {share.quota}, and {share.borrowed} may be borrowed"
        end = "Kueue never admits it" if self.never else "Kueue admits it after count.desired is raised"
        return f"queue {self.queue} cannot admit it: {amounts} ({own}): {end}"

    @property
    def hint(self) -> str:
        fewer = f"request {self.admitted} {self.resource} or fewer"
        if self.never:
            return f"{fewer}, or raise the quota or borrow of the team, or count.max of a group of {self.queue}"
        return f"{fewer}, or raise count.desired of a group of {self.queue} and deploy"


def capacity_findings(
    manifests: Sequence[tuple[str, Sequence[Mapping[str, Any]]]], cluster: KubernetesPlan, catalog: Catalog
) -> Iterator[Finding]:
    """E9363 and W9364, for each job of a user and resource."""
    for source, objects in manifests:
        for found in jobs_beyond_capacity(objects, cluster, catalog, DEFAULT_NAMESPACE):
            place = Location(source, path=found.owner.place)
            yield Finding(NEVER if found.never else NOT_NOW, place, found.text, found.hint)


def jobs_beyond_capacity(
    objects: Sequence[Mapping[str, Any]], cluster: KubernetesPlan, catalog: Catalog, namespace: str
) -> Iterator[BeyondCapacity]:
    """``namespace`` is that of objects without one. Pods of servers are admitted one by one."""
    for body in objects:
        owner = KubernetesObject(body, text(at(body, "metadata", "namespace")) or namespace)
        queue = queue_label(body)
        if queue not in cluster.queues or owner.kind in (*MANAGED_BY_POD, *PODS_OF_NO_OWNER):
            continue
        pods = pods_of([body], namespace=owner.namespace, others=objects)
        for resource in (NEURON, EFA):
            sets = [pod.requests.get(resource, 0) * (pod.replicas or 1) for pod in pods]
            sizes = queue_capacities(cluster, catalog, owner.namespace, queue, resource)
            found = next(_beyond(owner, queue, resource, sets, sizes), None) if any(sets) else None
            if found is not None:
                yield found
                break  # interfaces are requested with devices


def _beyond(
    owner: KubernetesObject, queue: str, resource: str, sets: Sequence[int], sizes: Sequence[QueueCapacity]
) -> Iterator[BeyondCapacity]:
    """At the largest size first. W9218 and W9307 report too few nodes at ``count.desired``."""
    largest, total = max(sets), sum(sets)
    for size in sizes:
        most = size.share.most
        requested, admitted = (largest, most) if largest > most else (total, size.summed)
        if requested > admitted and (size.nodes == AT_MAXIMUM or requested <= size.installed):
            yield BeyondCapacity(owner, queue, resource, requested, admitted, size)


def queue_capacities(
    cluster: KubernetesPlan, catalog: Catalog, namespace: str, queue: str, resource: str
) -> tuple[QueueCapacity, QueueCapacity]:
    """Returns capacities for jobs of a namespace at ``count.max`` and ``count.desired``, as in ``plan`` and pages of
    teams."""
    team: Team | None = next((each for each in cluster.teams if namespace in each.namespaces), None)

    def at_size(key: str) -> QueueCapacity:
        shares = [_share(group, team, cluster, catalog, resource, key) for group in cluster.queues[queue]]
        share, installed = max(shares, key=lambda found: found[0].most)
        return QueueCapacity(key, share, sum(each.most for each, _ in shares), installed)

    return at_size(AT_MAXIMUM), at_size(AT_DESIRED)


def _share(
    group: NodeGroupPlan, team: Team | None, cluster: KubernetesPlan, catalog: Catalog, resource: str, key: str
) -> tuple[TeamShare, int]:
    """The share of a group, and what its nodes have."""
    devices = devices_of_node(group, catalog)
    nodes = group.known_maximum if key == AT_MAXIMUM else group.desired
    total = (devices if resource == NEURON else group.machine.efa_interfaces) * nodes
    at_maximum = devices * group.known_maximum
    share = team_share(
        team,
        cluster.teams,
        group.name,
        total=total,
        devices_at_maximum=at_maximum,
        lends_rest=group.lends_rest,
    )
    return share, total
