"""Kueue's objects for the queues of the node groups (kueue.x-k8s.io/v1beta2)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from neuron_cluster.catalog.network_topology import NetworkTopology
from neuron_cluster.config.source_map import KeyPath
from neuron_cluster.kubernetes.names import EFA, GROUP_LABEL, NAMESPACE_LABEL, NEURON
from neuron_cluster.plan.addon_plan import ManifestPlan, PatchPlan
from neuron_cluster.plan.node_group_plan import NodeGroupPlan
from neuron_cluster.software.component_context import ComponentContext, tolerations_of
from neuron_cluster.software.network_placement import flavor_name, topology_object, topology_of
from neuron_cluster.software.priority_classes import priority_classes

API = "kueue.x-k8s.io/v1beta2"
COMPONENT = "kueue"


def queue_objects(context: ComponentContext) -> tuple[ManifestPlan, ...]:
    """Priorities, a flavor for each group with a queue, and each queue with the quota of all its groups; none without
    queues.

    One manifest for each object: CloudFormation deletes what leaves the file. ``kubectl apply --prune``, which CDK runs
    over a manifest that changes, keeps custom resources (kubernetes/kubectl, pkg/util/prune/prune.go). What needs
    another object is deleted before it.
    """
    queues = _queues(context.node_groups)
    if not queues:
        return ()
    path = _path(context)
    made = [_former(path), *(_manifest(path, each) for each in priority_classes(API))]
    topologies = {
        group.name: topology for group in context.node_groups if (topology := topology_of(group, context.catalog))
    }
    made += (_manifest(path, topology_object(API, each)) for each in dict.fromkeys(topologies.values()))
    for queue, groups in queues.items():
        made += (_flavor_manifest(path, group, topologies.get(group.name)) for group in groups)
        flavors = tuple(_name("ResourceFlavor", flavor_name(group)) for group in groups)
        made.append(_manifest(path, _cluster_queue(queue, groups, context), *flavors))
        made += (_local_queue_manifest(path, namespace, queue) for namespace in context.namespaces_of(queue))
    return tuple(made)


def queue_drains(context: ComponentContext) -> tuple[PatchPlan, ...]:
    """Stops the jobs of a ClusterQueue before it is deleted: while it admits any, ``kubectl delete`` waits for it.

    ``HoldAndDrain`` evicts the Workloads that Kueue finds through LocalQueues of the queue, so these go after it
    (kubernetes-sigs/kueue@ff69552, pkg/controller/core: workload_controller.go, clusterqueue_controller.go). Making it
    opens a queue again that was drained and not deleted; a hold that a user sets later stays.
    """
    manifests = queue_objects(context)
    return tuple(
        PatchPlan(
            _path(context),
            f"Drain {queue}",
            f"clusterqueues.{API.partition('/')[0]}/{queue}",
            applied={"spec": {"stopPolicy": "None"}},
            before_deletion={"spec": {"stopPolicy": "HoldAndDrain"}},
            needs=(name, *(manifest.name for manifest in manifests if name in manifest.needs)),
        )
        for queue, name in ((queue, _name("ClusterQueue", queue)) for queue in _queues(context.node_groups))
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
    """Of the manifest, by which others need it; a contract, since it becomes the construct's id."""
    return " ".join((kind, *names))


def _local_queue_manifest(path: KeyPath, namespace: str, queue: str) -> ManifestPlan:
    """The door of a namespace to a queue."""
    return _manifest(path, _local_queue(queue, namespace), _name("ClusterQueue", queue))


def _queues(groups: tuple[NodeGroupPlan, ...]) -> Mapping[str, tuple[NodeGroupPlan, ...]]:
    names = dict.fromkeys(group.queue for group in groups if group.queue is not None)
    return {name: tuple(group for group in groups if group.queue == name) for name in names}


def _flavor_manifest(path: KeyPath, group: NodeGroupPlan, topology: NetworkTopology | None) -> ManifestPlan:
    needs = (_name("Topology", topology.name),) if topology is not None else ()
    return _manifest(path, _flavor(group, topology), *needs)


def _flavor(group: NodeGroupPlan, topology: NetworkTopology | None) -> Mapping[str, Any]:
    """The nodes of one group. Pods that are admitted to it get its label as node selector, and its tolerations."""
    tolerations = [toleration.as_values() for toleration in tolerations_of((group,))]
    spec = {
        "nodeLabels": {GROUP_LABEL: group.name},
        **({"tolerations": tolerations} if tolerations else {}),
        **({"topologyName": topology.name} if topology is not None else {}),
    }
    return {"apiVersion": API, "kind": "ResourceFlavor", "metadata": {"name": flavor_name(group)}, "spec": spec}


def _cluster_queue(queue: str, groups: tuple[NodeGroupPlan, ...], context: ComponentContext) -> Mapping[str, Any]:
    """Open to the namespaces of the file that may use it, by the label that Kubernetes itself sets: no user can give it
    to another one. A job that does not fit lets smaller ones behind it go first, and stops those of a lower priority
    (Kueue's default is Never)."""
    quotas = {group.name: dict(_devices(group, context)) for group in groups}
    covered = list(dict.fromkeys(name for devices in quotas.values() for name in devices))
    flavors = [
        {
            "name": flavor_name(group),
            "resources": [{"name": name, "nominalQuota": quotas[group.name].get(name, 0)} for name in covered],
        }
        for group in groups
    ]
    spec = {
        "namespaceSelector": {
            "matchExpressions": [
                {"key": NAMESPACE_LABEL, "operator": "In", "values": list(context.namespaces_of(queue))}
            ]
        },
        "queueingStrategy": "BestEffortFIFO",
        "preemption": {"withinClusterQueue": "LowerPriority"},
        "resourceGroups": [{"coveredResources": covered, "flavors": flavors}],
    }
    return {"apiVersion": API, "kind": "ClusterQueue", "metadata": {"name": queue}, "spec": spec}


def _devices(group: NodeGroupPlan, context: ComponentContext) -> Iterator[tuple[str, int]]:
    """What the nodes of ``count.desired`` have. Nothing adds others: a job that is admitted for instances that do not
    run is evicted after ``waitForPodsReady``, again and again. With the DRA driver pods claim nodes of UltraServers
    whole: as one device.
    """
    row = context.catalog.instance_type(group.machine.instance_type)
    devices = row.neuron_devices if row is not None and group.machine.is_neuron else None
    if devices and row is not None and row.ultraserver is not None and context.has("neuron_dra_driver"):
        devices = 1
    yield NEURON, (devices or 0) * group.desired
    if group.machine.efa_interfaces:
        yield EFA, group.machine.efa_interfaces * group.desired


def _local_queue(queue: str, namespace: str) -> Mapping[str, Any]:
    metadata = {"name": queue, "namespace": namespace}
    return {"apiVersion": API, "kind": "LocalQueue", "metadata": metadata, "spec": {"clusterQueue": queue}}
