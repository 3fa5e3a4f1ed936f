"""One node of each node group as kube-scheduler evaluates it: labels, taints, allocatable resources."""

from __future__ import annotations

from collections.abc import Mapping

from local_kubernetes.model.names import EFA, NEURON, NEURON_CORE
from local_kubernetes.model.placement import Taint
from local_kubernetes.model.scheduling.node import NodeInfo
from neuron_cluster.catalog.catalog import Catalog
from neuron_cluster.catalog.instance_type import InstanceType
from neuron_cluster.catalog.node_allocatable import HUGE_PAGE_BYTES, NodeAllocatable, PlanFact
from neuron_cluster.plan.cluster_plan import ClusterPlan
from neuron_cluster.plan.node_disk import NodeDisk, node_disk
from neuron_cluster.plan.node_group_plan import NodeGroupPlan, TaintPlan

HUGE_PAGES = "hugepages-2Mi"
DEVICE_PLUGIN = "device_plugin"
"""The catalog's name of this device allocation mode. Without any mode in the file, users install their own plugin."""


def kubernetes_nodes(plan: ClusterPlan, catalog: Catalog) -> tuple[NodeInfo, ...]:
    """One for each node group, in the order of the file, before any pod is placed."""
    groups = plan.node_groups
    return tuple(_node(group, plan, catalog) for group in groups)


def _node(group: NodeGroupPlan, plan: ClusterPlan, catalog: Catalog) -> NodeInfo:
    row = catalog.instance_types.get(group.machine.instance_type)
    if row is None:  # rule E3001 ran before
        raise LookupError(f"the catalog has no instance type {group.machine.instance_type}")
    image = catalog.node_allocatables.of_ami_type(group.image.family)
    labels, doubts = _labels(group, plan, image)
    disk = node_disk(group, plan, catalog)
    amounts = _devices(group, row, plan, image) | _counted(group, row, plan, image, disk)
    doubts |= _estimates(group, image, disk)
    doubts |= {name: f"no source gives it for {row.name}" for name, amount in amounts.items() if amount is None}
    known = {name: amount for name, amount in amounts.items() if amount is not None}
    bounds = _upper_bounds(group, row, image, disk)
    return NodeInfo(
        group.name,
        labels,
        tuple(_taint(each) for each in group.lasting_taints),
        known,
        doubts,
        {name: amount for name, amount in bounds.items() if name in known},
        desired_size=group.desired,
        max_size=group.scaling.maximum,
        scales_on_demand=group.scales_on_demand,
        has_efa=group.machine.efa_interfaces > 0,
        neuron_devices=row.neuron_devices if group.machine.is_neuron else 0,
        is_ultraserver=row.ultraserver is not None,
    )


def _taint(taint: TaintPlan) -> Taint:
    return Taint(taint.key, taint.value, taint.kubernetes_effect)


def _labels(
    group: NodeGroupPlan, plan: ClusterPlan, image: NodeAllocatable | None
) -> tuple[dict[str, str], dict[str, str]]:
    """The labels whose values are known, and why the others are not."""
    if image is None:
        return dict(group.labels), {}
    facts: Mapping[PlanFact, str | None] = {
        "instance_type": group.machine.instance_type,
        **group.label_facts,
        "region": plan.region,
        "zone_id": group.zone_ids[0] if len(group.zone_ids) == 1 else None,
    }
    planned = {key: facts[fact] for key, fact in image.labels_of_plan.items() if fact in facts}
    labels = {key: value for key, value in planned.items() if value is not None}
    several = f"a node is in one of {', '.join(group.zone_ids)}"
    doubts = {key: several for key, value in planned.items() if value is None} | dict(image.labels_not_known)
    return {**image.labels, **labels, **group.labels}, doubts


def _devices(
    group: NodeGroupPlan, row: InstanceType, plan: ClusterPlan, image: NodeAllocatable | None
) -> dict[str, int | None]:
    """Extended resources of device plugins. With the DRA driver instead, Neuron devices are not among them."""
    machine = group.machine
    modes = plan.kubernetes.device_management.ways if plan.kubernetes is not None else ()
    devices: dict[str, int | None] = {}
    if machine.is_neuron and (DEVICE_PLUGIN in modes or not modes):
        devices |= {NEURON: row.neuron_devices, NEURON_CORE: machine.neuroncores}
    if machine.efa_interfaces:
        devices[EFA] = machine.efa_interfaces
        devices[HUGE_PAGES] = image.huge_pages_with_efa * HUGE_PAGE_BYTES if image is not None else None
    return devices


def _counted(
    group: NodeGroupPlan, row: InstanceType, plan: ClusterPlan, image: NodeAllocatable | None, disk: NodeDisk | None
) -> dict[str, int | None]:
    """Allocatable resources of the kubelet; None where the catalog lacks a number."""
    pods = _max_pods(group, row, plan)
    if image is None:
        return {"cpu": None, "memory": None, "pods": pods, "ephemeral-storage": None}
    huge_pages = image.huge_pages_with_efa if group.machine.efa_interfaces else 0
    memory = _of_memory(group, row)
    return {
        "cpu": None if row.vcpus is None else image.millicores(row.vcpus),
        "memory": image.memory_bytes(*memory, huge_pages) if memory is not None else None,
        "pods": pods,
        "ephemeral-storage": None if disk is None else image.storage_bytes(disk.size) - disk.images,
    }


def _upper_bounds(
    group: NodeGroupPlan, row: InstanceType, image: NodeAllocatable | None, disk: NodeDisk | None
) -> dict[str, int]:
    """Returns upper bounds of amounts that are estimates."""
    if image is None:
        return {}
    of_disk = {"ephemeral-storage": image.storage_bytes(disk.size)} if disk is not None else {}
    memory = _of_memory(group, row)
    return ({"memory": image.max_memory_bytes(*memory)} if memory is not None else {}) | of_disk


def _of_memory(group: NodeGroupPlan, row: InstanceType) -> tuple[int, int] | None:
    """Memory in GiB, and the pods for which some of it is reserved; None where no source has one of them."""
    counted = group.node_addresses
    pods = row.max_pods if row.max_pods is not None or counted is None else counted.pods_without_prefixes
    return None if row.memory_gib is None or pods is None else (row.memory_gib, pods)


def _max_pods(group: NodeGroupPlan, row: InstanceType, plan: ClusterPlan) -> int | None:
    """``pods_per_node`` of the file plans addresses; it does not limit pods."""
    counted = group.node_addresses
    if counted is None:
        return row.max_pods
    with_prefixes = plan.kubernetes is not None and plan.kubernetes.prefix_delegation
    return counted.pods_with_prefixes if with_prefixes else counted.pods_without_prefixes


def _estimates(group: NodeGroupPlan, image: NodeAllocatable | None, disk: NodeDisk | None) -> dict[str, str]:
    """Amounts that are given and yet not certain."""
    if image is None:
        return {}
    of_disk = {"ephemeral-storage": disk.images_doubt} if disk is not None else {}
    about = {"memory": "memory_kept_per_ten_thousand"}
    if group.machine.efa_interfaces:
        about[HUGE_PAGES] = "huge_pages_with_efa"
    reasons = {name: image.doubt_about(field) for name, field in about.items()}
    return of_disk | {name: reason for name, reason in reasons.items() if reason is not None}
