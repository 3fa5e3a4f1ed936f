"""Kueue in a cluster of the local AWS: the finalizers it keeps, what lets them go, and Workloads for tests.

Source: kubernetes-sigs/kueue@ff69552, pkg/controller/core/clusterqueue_controller.go (a ClusterQueue stays while a
Workload has quota of it), resourceflavor_controller.go (a flavor while a ClusterQueue names it),
workload_controller.go, reconcileOnClusterQueueActiveState (``HoldAndDrain`` evicts; a deletion does not),
pkg/controller/jobframework/reconciler.go (a Workload that is deleted stops its job, then goes). Nothing of that
happens without the controller, which is Kueue's chart.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from local_aws.contract import Store
from local_aws.custom_resources.kubernetes_object import Identity
from local_aws.custom_resources.kubernetes_state import ClusterState, state_of
from local_aws.custom_resources.record import has_chart

GROUP, CHART = "kueue.x-k8s.io", "kueue"
API = f"{GROUP}/v1beta2"
FINALIZER = f"{GROUP}/resource-in-use"
WITH_FINALIZER = ("ClusterQueue", "ResourceFlavor", "Workload")


class Kueue:
    """Kueue's ``Controller`` of the local AWS."""

    chart, group = CHART, GROUP

    def held(self, state: ClusterState, *, is_installed: bool) -> frozenset[Identity]:
        """Returns the objects that Kueue's finalizers keep."""
        return frozenset(_held(state, is_installed=is_installed))

    def reconcile(self, state: ClusterState, *, is_installed: bool) -> None:
        """Applies the effects of a change: drained queues evict, and objects that no finalizer keeps are deleted."""
        if is_installed:
            _drain(state)
        while gone := [
            key
            for key, each in state.objects.items()
            if each.is_terminating and key not in self.held(state, is_installed=is_installed)
        ]:
            for key in gone:
                del state.objects[key]

    def uninstall(self, state: ClusterState) -> None:
        """With a definition go its objects; one that has a finalizer stays, and its kind with it.

        The controller that would take the finalizer off has gone. Source: charts/kueue/templates/crd (no
        helm.sh/resource-policy).
        """
        for key, each in list(state.objects.items()):
            if key[0] != GROUP:
                continue
            if key[1] in WITH_FINALIZER:
                each.is_terminating = True
                state.terminating_kinds.add(key[1])
            else:
                del state.objects[key]


KUEUE = Kueue()


def admit_workload(
    store: Store, account: str, region: str, cluster: str, *, queue: str, name: str, namespace: str = "default"
) -> None:
    """Puts a job's Workload, admitted and running, into a queue of a cluster that was deployed here.

    Raises ``ValueError`` where Kueue would not admit it.
    """
    state = state_of(store, account, region, cluster)
    if not has_chart(store, account, region, cluster, CHART):
        raise ValueError(f"the cluster {cluster} of {account} in {region} does not run Kueue")
    if "Workload" in state.terminating_kinds:
        raise ValueError(f"the definition of Workloads is being deleted in the cluster {cluster}: none can be created")
    if f"{namespace}/{queue}" not in state.of_kind(GROUP, "LocalQueue"):
        known = ", ".join(state.of_kind(GROUP, "LocalQueue")) or "none"
        raise ValueError(f"no LocalQueue {namespace}/{queue} in the cluster {cluster}: {known}")
    cluster_queue = state.of_kind(GROUP, "LocalQueue")[f"{namespace}/{queue}"].live["spec"]["clusterQueue"]
    if state.of_kind(GROUP, "ClusterQueue")[cluster_queue].live["spec"].get("stopPolicy", "None") != "None":
        raise ValueError(f"the ClusterQueue {cluster_queue} is held: it admits nothing")
    workload = {
        "apiVersion": API,
        "kind": "Workload",
        "metadata": {"name": name, "namespace": namespace, "finalizers": [FINALIZER]},
        "spec": {"queueName": queue},
        "status": {"admission": {"clusterQueue": cluster_queue}, "conditions": [_condition("Admitted")]},
    }
    state.put(workload)


def finish_workload(
    store: Store, account: str, region: str, cluster: str, *, name: str, namespace: str = "default"
) -> None:
    """The job has ended: its Workload holds no quota any more. LookupError for one that is not there."""
    state = state_of(store, account, region, cluster)
    workload = state.of_kind(GROUP, "Workload").get(f"{namespace}/{name}")
    if workload is None:
        raise LookupError(f"no Workload {namespace}/{name} in the cluster {cluster}")
    workload.live["status"] = {"conditions": [_condition("Finished")]}
    KUEUE.reconcile(state, is_installed=has_chart(store, account, region, cluster, CHART))


def workloads_in(store: Store, account: str, region: str, cluster: str) -> dict[str, bool]:
    """Workloads by NAMESPACE/NAME, and whether each is admitted."""
    workloads = state_of(store, account, region, cluster).of_kind(GROUP, "Workload")
    return {name: "admission" in each.live["status"] for name, each in workloads.items()}


def _held(state: ClusterState, *, is_installed: bool) -> Iterator[Identity]:
    used = {_queue_of(each.live) for each in state.of_kind(GROUP, "Workload").values()}
    named = {flavor for each in state.of_kind(GROUP, "ClusterQueue").values() for flavor in _flavors(each.live)}
    for key, each in state.objects.items():
        match key[:2]:
            case (group, kind) if group != GROUP or kind not in WITH_FINALIZER:
                continue
            case (_, "ClusterQueue") if not is_installed or each.live["metadata"]["name"] in used:
                yield key
            case (_, "ResourceFlavor") if not is_installed or each.live["metadata"]["name"] in named:
                yield key
            case (_, "Workload") if not is_installed:
                yield key


def _queue_of(workload: Mapping[str, Any]) -> str | None:
    admission: Mapping[str, str] = workload["status"].get("admission", {})
    return admission.get("clusterQueue")


def _flavors(queue: Mapping[str, Any]) -> Iterator[str]:
    for group in queue["spec"].get("resourceGroups", ()):
        for flavor in group["flavors"]:
            yield flavor["name"]


def _drain(state: ClusterState) -> None:
    """Evicts from ClusterQueues with ``HoldAndDrain``. Kueue looks at a queue's Workloads by way of its LocalQueues.

    Source: workload_controller.go, queueReconcileForWorkloadsOfClusterQueue and ClusterQueueForWorkload.
    """
    queues, doors = state.of_kind(GROUP, "ClusterQueue"), state.of_kind(GROUP, "LocalQueue")
    for each in state.of_kind(GROUP, "Workload").values():
        queue = queues.get(_queue_of(each.live) or "")
        door = f"{each.live['metadata']['namespace']}/{each.live['spec']['queueName']}"
        if queue is not None and door in doors and queue.live["spec"].get("stopPolicy") == "HoldAndDrain":
            each.live["status"] = {"conditions": [_condition("Evicted", reason="ClusterQueueStopped")]}


def _condition(kind: str, reason: str = "") -> dict[str, str]:
    return {"type": kind, "status": "True", "reason": reason or kind}
