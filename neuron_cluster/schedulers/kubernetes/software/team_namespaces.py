"""Access and limits of each namespace of a team."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from local_kubernetes.model.names import EFA, FORMER_NEURON_RESOURCES, NEURON, NEURON_CLASS, NEURON_CORE
from neuron_cluster.catalog.catalog import Catalog
from neuron_cluster.plan.addon_plan import ManifestPlan
from neuron_cluster.plan.namespace_plan import WorkloadNamespacePlan
from neuron_cluster.plan.node_group_plan import NodeGroupPlan
from neuron_cluster.plan.team import Team
from neuron_cluster.schedulers.kubernetes.software.admission_queues import devices_of_node
from neuron_cluster.schedulers.kubernetes.software.component_context import ComponentContext
from neuron_cluster.schedulers.kubernetes.software.prometheus_volumes import STORAGE_CLASS
from neuron_cluster.schedulers.kubernetes.software.team_admission import team_admission
from neuron_cluster.schedulers.kubernetes.software.team_images import team_images
from neuron_cluster.schedulers.kubernetes.software.team_monitors import from_prometheus
from neuron_cluster.schedulers.kubernetes.software.team_network import network_policies
from neuron_cluster.schedulers.kubernetes.software.team_roles import operator_objects, role, role_binding

NAME = "neuron-cluster-team"
"""Name of the ResourceQuota and the LimitRange."""
DEVICE_CLASS_QUOTA = f"{NEURON_CLASS}.deviceclass.resource.k8s.io/devices"
"""Devices that pods claim (kubernetes/kubernetes: pkg/quota/v1/evaluator/core/resource_claims.go)."""
SYSTEM_CLASSES = ("system-node-critical", "system-cluster-critical")
"""The priority classes of Kubernetes, which it allows in every namespace."""
PUBLISHED = {"services.loadbalancers": "0", "services.nodeports": "0"}
"""A Service of these types has an address outside of the cluster, and a load balancer its own bill."""
STORAGE_OF_CLASS = ".storageclass.storage.k8s.io/requests.storage"
EBS_CLASSES = (STORAGE_CLASS, "gp2")
"""The storage classes of this toolkit, and of a cluster on AWS from the start."""
REQUESTED = {"cpu": "100m", "memory": "256Mi"}
"""Defaults of a container without requests: its pod would be the first that a node under pressure evicts."""


def team_namespaces(context: ComponentContext) -> Iterator[ManifestPlan]:
    """One manifest for each namespace, so that a namespace or team that leaves the file takes its own objects alone,
    one for fields that the API server rejects in all of them, and one for the images of the team.

    The namespace itself is made with the others of the file.
    """
    planned = {each.name: each for each in context.namespaces}
    for team in context.teams:
        for name in team.namespaces:
            objects = (
                role(name),
                role_binding(name, team.group),
                _resource_quota(team, planned[name], context),
                _system_pods(name),
                _limit_range(name),
                *network_policies(name),
                *((from_prometheus(name),) if context.has("kube_prometheus_stack") else ()),
                *(operator_objects(name, team.operator_group) if team.operators else ()),
            )
            yield ManifestPlan(team.path, f"Team {team.name} {name}", objects)
        if team.namespaces:
            yield team_admission(team, context)
        if team.images:
            yield team_images(team, is_governed=context.is_governed)


def _resource_quota(team: Team, namespace: WorkloadNamespacePlan, context: ComponentContext) -> Mapping[str, Any]:
    """The most that Kueue can ever admit for the team, at ``count.max``, and its own groups without a queue: it limits
    pods without a queue, and never contradicts Kueue, which counts what runs."""
    queued = [each for each in context.node_groups if _admits(each, team, namespace, context)]
    own = [
        each for each in context.node_groups if each.queue is None and not each.is_governed and each.team == team.name
    ]
    interfaces = sum(group.machine.efa_interfaces * group.known_maximum for group in (*queued, *own))
    hard = {
        **_devices(sum(_most_devices(team, group, context) for group in (*queued, *own)), own, context),
        f"requests.{EFA}": str(interfaces),
        **{f"{each}{STORAGE_OF_CLASS}": f"{team.ebs_gib}Gi" for each in EBS_CLASSES},
        **PUBLISHED,
    }
    metadata = {"name": NAME, "namespace": namespace.name}
    return {"apiVersion": "v1", "kind": "ResourceQuota", "metadata": metadata, "spec": {"hard": hard}}


def _admits(group: NodeGroupPlan, team: Team, namespace: WorkloadNamespacePlan, context: ComponentContext) -> bool:
    """Whether a queue of the group, or the compute quota of the team, admits jobs of the namespace. A compute quota is
    of an instance type."""
    if not group.is_governed:
        return group.queue is not None and namespace.may_use(group.queue)
    alike = (
        each
        for each in context.node_groups
        if each.is_governed and each.machine.instance_type == group.machine.instance_type
    )
    return namespace.is_governed and any(team.quota_of(each.name) is not None for each in alike)


def _system_pods(namespace: str) -> Mapping[str, Any]:
    """No pod: a class of the system would let it preempt the pods of every team
    (https://kubernetes.io/docs/concepts/policy/resource-quotas/#resource-quota-per-priorityclass)."""
    scope = {"scopeName": "PriorityClass", "operator": "In", "values": list(SYSTEM_CLASSES)}
    return {
        "apiVersion": "v1",
        "kind": "ResourceQuota",
        "metadata": {"name": f"{NAME}-system-classes", "namespace": namespace},
        "spec": {"hard": {"pods": "0"}, "scopeSelector": {"matchExpressions": [scope]}},
    }


def _devices(devices: int, own: Sequence[NodeGroupPlan], context: ComponentContext) -> Mapping[str, str]:
    """The limit of each name that counts Neuron devices: Kubernetes counts names apart, so one without a limit would
    give all devices a second time.

    Queues count whole devices, and Kueue admits no job that requests cores (kubernetes-sigs/kueue@ff69552,
    pkg/scheduler/flavorassigner): cores are those of the groups of the team without a queue.
    """
    cores = sum(_cores_of_node(group, context.catalog) * group.known_maximum for group in own)
    is_claimed = context.has("neuron_dra_driver")
    counted = {NEURON: 0, NEURON_CORE: 0} if is_claimed else {NEURON: devices, NEURON_CORE: cores}
    counted |= dict.fromkeys(FORMER_NEURON_RESOURCES, 0)
    claimed = {DEVICE_CLASS_QUOTA: str(devices)} if is_claimed else {}
    return {**claimed, **{f"requests.{name}": str(count) for name, count in counted.items()}}


def _cores_of_node(group: NodeGroupPlan, catalog: Catalog) -> int:
    """Logical cores at the LNC of the group; physical ones, which are never fewer, where no source has them."""
    row = catalog.instance_types.get(group.machine.instance_type)
    if row is None or not group.machine.is_neuron:
        return 0
    return group.machine.neuroncores or row.neuron_cores or 0


def _most_devices(team: Team, group: NodeGroupPlan, context: ComponentContext) -> int:
    """Its quota and what it may borrow, or the whole group where borrowing has no limit."""
    whole = devices_of_node(group, context.catalog) * group.known_maximum
    quota = team.quota_of(group.name)
    if quota is None or quota.borrow is None:
        return whole
    return min(whole, quota.devices + quota.borrow)


def _limit_range(namespace: str) -> Mapping[str, Any]:
    return {
        "apiVersion": "v1",
        "kind": "LimitRange",
        "metadata": {"name": NAME, "namespace": namespace},
        "spec": {"limits": [{"type": "Container", "defaultRequest": dict(REQUESTED)}]},
    }
