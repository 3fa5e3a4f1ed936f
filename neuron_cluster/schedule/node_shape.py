"""What one node of a group looks like to the scheduler: labels, taints, and what it offers to pods."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from neuron_cluster.catalog.catalog import Catalog
from neuron_cluster.catalog.instance_type import InstanceType
from neuron_cluster.catalog.node_allocatable import HUGE_PAGE_BYTES, NodeAllocatable, PlanFact
from neuron_cluster.kubernetes.names import EFA, NEURON, NEURON_CORE
from neuron_cluster.plan.cluster_plan import ClusterPlan, NodeGroupPlan, TaintPlan
from neuron_cluster.plan.node_disk import NodeDisk, node_disk

HUGE_PAGES = "hugepages-2Mi"
DEVICE_PLUGIN = "device_plugin"
"""The catalog's name for this way of handing out Neuron devices; where the file asks for none, users bring theirs."""


class NodeShape(Struct, frozen=True):
    """A node of one group, empty: nothing is subtracted yet for pods that run everywhere.

    ``allocatable``: ``cpu`` in millicores; ``memory``, ``ephemeral-storage`` and ``hugepages-2Mi`` in bytes; the rest
    as numbers. ``doubts`` maps what is not known, or not for sure, to the reason: resources, and keys of labels.
    """

    group: str
    labels: Mapping[str, str]
    taints: tuple[TaintPlan, ...]
    allocatable: Mapping[str, int]
    doubts: Mapping[str, str]
    never_more: Mapping[str, int] = {}
    """Of amounts that are not certain, what a node surely does not exceed."""
    neuron_devices: int | None = None
    """Chips, whoever hands them out; None: no source says how many."""
    is_ultraserver: bool = False
    """Whether the machine is a part of an UltraServer."""
    claimable: Mapping[str, int | None] = {}
    """By device class, what DRA drivers publish there for claims: known once the drivers' pods are (``room``)."""
    taken_by: tuple[str, ...] = ()
    """The DaemonSets whose requests are subtracted from ``allocatable`` (``room``)."""


def node_shapes(plan: ClusterPlan, catalog: Catalog) -> tuple[NodeShape, ...]:
    """One for each node group, in the order of the file."""
    groups = plan.eks.node_groups if plan.eks is not None else ()
    return tuple(_shape(group, plan, catalog) for group in groups)


def _shape(group: NodeGroupPlan, plan: ClusterPlan, catalog: Catalog) -> NodeShape:
    row = catalog.instance_type(group.machine.instance_type)
    if row is None:  # rule E3001 ran before
        raise LookupError(f"the catalog has no instance type {group.machine.instance_type}")
    image = catalog.node_allocatable(group.image.family or row.eks_ami_type or "")
    labels, doubts = _labels(group, plan, image)
    disk = node_disk(group, plan.containers, catalog)
    offered = _devices(group, row, plan, image) | _counted(group, row, plan, image, disk)
    doubts |= _estimates(group, image, disk)
    doubts |= {name: f"no source says it of {row.name}" for name, amount in offered.items() if amount is None}
    known = {name: amount for name, amount in offered.items() if amount is not None}
    most = _most(row, image, disk)
    return NodeShape(
        group.name,
        labels,
        group.taints,
        known,
        doubts,
        {name: amount for name, amount in most.items() if name in known},
        neuron_devices=row.neuron_devices if group.machine.is_neuron else 0,
        is_ultraserver=row.ultraserver is not None,
    )


def _labels(
    group: NodeGroupPlan, plan: ClusterPlan, image: NodeAllocatable | None
) -> tuple[dict[str, str], dict[str, str]]:
    """The labels whose values are known, and why the others are not."""
    if image is None:
        return dict(group.labels), {}
    facts: Mapping[PlanFact, str | None] = {
        "instance_type": group.machine.instance_type,
        "node_group": group.physical_name,
        "capacity_type": group.capacity_type,
        "region": plan.region,
        "zone_id": group.zone_ids[0] if len(group.zone_ids) == 1 else None,
    }
    said = {key: facts[fact] for key, fact in image.labels_of_plan.items()}
    labels = {key: value for key, value in said.items() if value is not None}
    several = f"a node stands in one of {', '.join(group.zone_ids)}"
    doubts = {key: several for key, value in said.items() if value is None} | dict(image.labels_not_known)
    return {**image.labels, **labels, **group.labels}, doubts


def _devices(
    group: NodeGroupPlan, row: InstanceType, plan: ClusterPlan, image: NodeAllocatable | None
) -> dict[str, int | None]:
    """What device plugins offer. With the DRA driver in its place, Neuron devices are no resources of a node."""
    machine = group.machine
    ways = plan.eks.device_management.ways if plan.eks is not None else ()
    offered: dict[str, int | None] = {}
    if machine.is_neuron and (DEVICE_PLUGIN in ways or not ways):
        offered |= {NEURON: row.neuron_devices, NEURON_CORE: machine.neuroncores}
    if machine.efa_interfaces:
        offered[EFA] = machine.efa_interfaces
        offered[HUGE_PAGES] = image.huge_pages_with_efa * HUGE_PAGE_BYTES if image is not None else None
    return offered


def _counted(
    group: NodeGroupPlan, row: InstanceType, plan: ClusterPlan, image: NodeAllocatable | None, disk: NodeDisk | None
) -> dict[str, int | None]:
    """What the kubelet offers; None where the catalog lacks a number."""
    pods = _most_pods(group, row, plan)
    if image is None:
        return {"cpu": None, "memory": None, "pods": pods, "ephemeral-storage": None}
    huge_pages = image.huge_pages_with_efa if group.machine.efa_interfaces else 0
    knows_memory = row.memory_gib is not None and row.max_pods is not None
    return {
        "cpu": None if row.vcpus is None else image.millicores(row.vcpus),
        "memory": image.memory_bytes(*_of_memory(row), huge_pages) if knows_memory else None,
        "pods": pods,
        "ephemeral-storage": None if disk is None else image.storage_bytes(disk.size) - disk.images,
    }


def _most(row: InstanceType, image: NodeAllocatable | None, disk: NodeDisk | None) -> dict[str, int]:
    """What a node surely does not exceed, of the amounts that are estimates."""
    if image is None:
        return {}
    of_disk = {"ephemeral-storage": image.storage_bytes(disk.size)} if disk is not None else {}
    return {"memory": image.most_memory_bytes(*_of_memory(row)), **of_disk}


def _of_memory(row: InstanceType) -> tuple[int, int]:
    """Memory in GiB, and the pods for which some of it is reserved."""
    return row.memory_gib or 0, row.max_pods or 0


def _most_pods(group: NodeGroupPlan, row: InstanceType, plan: ClusterPlan) -> int | None:
    """``pods_per_node`` of the file plans addresses; it stops no pod."""
    counted = group.node_addresses
    if counted is None:
        return row.max_pods
    with_prefixes = plan.eks is not None and plan.eks.prefix_delegation
    return counted.pods_with_prefixes if with_prefixes else counted.pods_without_prefixes


def _estimates(group: NodeGroupPlan, image: NodeAllocatable | None, disk: NodeDisk | None) -> dict[str, str]:
    """Amounts that are given and yet not certain."""
    if image is None:
        return {}
    of_disk = {"ephemeral-storage": disk.images_in_words} if disk is not None else {}
    about = {"memory": "memory_kept_per_ten_thousand"}
    if group.machine.efa_interfaces:
        about[HUGE_PAGES] = "huge_pages_with_efa"
    reasons = {name: image.doubt_about(field) for name, field in about.items()}
    return of_disk | {name: reason for name, reason in reasons.items() if reason is not None}
