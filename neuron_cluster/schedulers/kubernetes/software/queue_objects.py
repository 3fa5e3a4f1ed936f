"""Kueue's objects for the queues of the node groups (kueue.x-k8s.io/v1beta2)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from local_kubernetes.model.names import GROUP_LABEL, NAMESPACE_LABEL
from neuron_cluster.catalog.network_topology import NetworkTopology
from neuron_cluster.config.source_map import KeyPath
from neuron_cluster.plan.addon_plan import ManifestPlan, PatchPlan
from neuron_cluster.plan.node_group_plan import NodeGroupPlan
from neuron_cluster.schedulers.kubernetes.software.admission_queues import (
    AdmissionQueue,
    FlavorQuota,
    admission_queues,
    flavor_quota,
)
from neuron_cluster.schedulers.kubernetes.software.component_context import ComponentContext, tolerations_of_group
from neuron_cluster.schedulers.kubernetes.software.network_placement import topology_object, topology_of
from neuron_cluster.schedulers.kubernetes.software.priority_classes import priority_classes

API = "kueue.x-k8s.io/v1beta2"
COMPONENT = "kueue"


def queue_objects(context: ComponentContext) -> tuple[ManifestPlan, ...]:
    """Priorities, a flavor for each group with a queue, and each queue with the quota of all its groups; none without
    queues.

    One manifest for each object: CloudFormation deletes what leaves the file. ``kubectl apply --prune``, which CDK runs
    over a manifest that changes, keeps custom resources (kubernetes/kubectl, pkg/util/prune/prune.go). What needs
    another object is deleted before it.
    """
    queues = admission_queues(context)
    if not queues:
        return ()
    path = _path(context)
    made = [_former(path), *(_manifest(path, each) for each in priority_classes(API))]
    topologies = {
        group.name: topology for group in context.node_groups if (topology := topology_of(group, context.catalog))
    }
    made += (_manifest(path, topology_object(API, each)) for each in dict.fromkeys(topologies.values()))
    for queue in queues:
        if queue.team is None:
            made += (_flavor_manifest(path, group, topologies.get(group.name), context) for group in queue.groups)
        made += _manifests_of_queue(queue, path, context)
    return tuple(made)


def _manifests_of_queue(queue: AdmissionQueue, path: KeyPath, context: ComponentContext) -> Iterator[ManifestPlan]:
    """The ClusterQueue, and a LocalQueue in each of its namespaces."""
    place = queue.team.path if queue.team is not None else path
    flavors = (_name("ResourceFlavor", group.flavor_name) for group in queue.groups)
    yield _manifest(place, _cluster_queue(queue, context), *flavors)
    for namespace in queue.namespaces:
        yield _manifest(place, _local_queue(queue, namespace), _name("ClusterQueue", queue.name))


def queue_drains(context: ComponentContext) -> tuple[PatchPlan, ...]:
    """Stops the jobs of a ClusterQueue before it is deleted: while it admits any, ``kubectl delete`` waits for it.

    ``HoldAndDrain`` evicts the Workloads that Kueue finds through LocalQueues of the queue, so these go after it
    (kubernetes-sigs/kueue@ff69552, pkg/controller/core: workload_controller.go, clusterqueue_controller.go). Making it
    opens a queue again that was drained and not deleted; a hold that a user sets later stays.
    """
    manifests = queue_objects(context)
    return tuple(
        PatchPlan(
            queue.team.path if queue.team is not None else _path(context),
            f"Drain {queue.name}",
            f"clusterqueues.{API.partition('/')[0]}/{queue.name}",
            applied={"spec": {"stopPolicy": "None"}},
            before_deletion={"spec": {"stopPolicy": "HoldAndDrain"}},
            needs=(name, *(manifest.name for manifest in manifests if name in manifest.needs)),
        )
        for queue, name in ((queue, _name("ClusterQueue", queue.name)) for queue in admission_queues(context))
    )


def _former(path: KeyPath) -> ManifestPlan:
    """Held all queues at once until each got a manifest of its own. Without it the update that adds those would
    delete the old manifest, and every queue with it."""
    about = "Queues are manifests of their own since they follow the file; this one does nothing."
    config_map = {
        "apiVersion": "v1",
        "kind": "ConfigMap",
        "metadata": {"name": "neuron-cluster-queues", "namespace": "kueue-system"},
        "data": {"about": about},
    }
    return ManifestPlan(path, "Objects kueue-queues", (config_map,), needs=(COMPONENT,), component=COMPONENT)


def _path(context: ComponentContext) -> KeyPath:
    return (*context.addons_path, COMPONENT)


def _manifest(path: KeyPath, kubernetes_object: Mapping[str, Any], *needs: str) -> ManifestPlan:
    metadata = kubernetes_object["metadata"]
    place = [metadata["namespace"]] if "namespace" in metadata else []
    name = _name(kubernetes_object["kind"], *place, metadata["name"])
    return ManifestPlan(
        path, name, (kubernetes_object,), needs=(COMPONENT, *needs), comes_last=not needs, component=COMPONENT
    )


def _name(kind: str, *names: str) -> str:
    """Returns the name of the manifest, by which others need it; a contract, since it becomes the construct's id."""
    return " ".join((kind, *names))


def _flavor_manifest(
    path: KeyPath, group: NodeGroupPlan, topology: NetworkTopology | None, context: ComponentContext
) -> ManifestPlan:
    needs = (_name("Topology", topology.name),) if topology is not None else ()
    return _manifest(path, _flavor(group, topology, context), *needs)


def _flavor(group: NodeGroupPlan, topology: NetworkTopology | None, context: ComponentContext) -> Mapping[str, Any]:
    """The nodes of one group. Pods that are admitted to it get its label as node selector, and its tolerations."""
    tolerations = [toleration.as_values() for toleration in tolerations_of_group(group, context.node_groups)]
    spec = {
        "nodeLabels": {GROUP_LABEL: group.name},
        **({"tolerations": tolerations} if tolerations else {}),
        **({"topologyName": topology.name} if topology is not None else {}),
    }
    return {"apiVersion": API, "kind": "ResourceFlavor", "metadata": {"name": group.flavor_name}, "spec": spec}


def _cluster_queue(queue: AdmissionQueue, context: ComponentContext) -> Mapping[str, Any]:
    """Open to the namespaces of the file that may use it, by the label that Kubernetes itself sets: no user can give it
    to another one. A job that does not fit lets smaller ones behind it go first, and stops those of a lower priority
    (Kueue's default is Never). In a cohort it also stops jobs that borrow what it has a quota for, of any priority.
    """
    quotas = {group.name: flavor_quota(queue, group, context) for group in queue.groups}
    covered = list(dict.fromkeys(name for quota in quotas.values() for name in quota.nominal))
    flavors = [
        {
            "name": group.flavor_name,
            "resources": [_resource(name, quotas[group.name], in_cohort=queue.shares_cohort) for name in covered],
        }
        for group in queue.groups
    ]
    selector = {"matchExpressions": [{"key": NAMESPACE_LABEL, "operator": "In", "values": list(queue.namespaces)}]}
    reclaim = {"reclaimWithinCohort": "Any"} if queue.shares_cohort else {}
    spec: dict[str, Any] = {
        **({"namespaceSelector": selector} if queue.namespaces else {}),
        "queueingStrategy": "BestEffortFIFO",
        "preemption": {"withinClusterQueue": "LowerPriority", **reclaim},
        "resourceGroups": [{"coveredResources": covered, "flavors": flavors}],
        **({"cohortName": queue.queue} if queue.shares_cohort else {}),
        **({"fairSharing": {"weight": str(queue.team.weight)}} if queue.team is not None else {}),
    }
    return {"apiVersion": API, "kind": "ClusterQueue", "metadata": {"name": queue.name}, "spec": spec}


def _resource(name: str, quota: FlavorQuota, *, in_cohort: bool) -> Mapping[str, Any]:
    """Kueue rejects limits of borrowing and lending in a ClusterQueue without a cohort."""
    limits = {"borrowingLimit": quota.borrowing, "lendingLimit": quota.lending} if in_cohort else {}
    return {
        "name": name,
        "nominalQuota": quota.nominal.get(name, 0),
        **{key: limit.get(name, 0) for key, limit in limits.items() if limit is not None},
    }


def _local_queue(queue: AdmissionQueue, namespace: str) -> Mapping[str, Any]:
    metadata = {"name": queue.queue, "namespace": namespace}
    return {"apiVersion": API, "kind": "LocalQueue", "metadata": metadata, "spec": {"clusterQueue": queue.name}}
