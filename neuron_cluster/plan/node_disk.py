"""The disk that holds images and what pods write: how large it is, and what is on it before a pod writes anything."""

from __future__ import annotations

import math

from msgspec import Struct

from local_kubernetes.model.quantity import GB, GIB
from neuron_cluster.catalog.catalog import Catalog
from neuron_cluster.plan.cluster_plan import ClusterPlan
from neuron_cluster.plan.node_group_plan import NodeGroupPlan

PERCENT = 100


class NodeDisk(Struct, frozen=True):
    """The file system with the directories of kubelet and containerd, in bytes."""

    size: int
    operating_system: int
    """At most: the size of the image that the node boots from; 0 on the instance's local disks."""
    images: int
    """Container images, estimated (limits ``large_image`` and ``software_images``)."""
    for_pods: int
    """The least space for logs and pods."""
    image_gc_percent: int

    @property
    def images_doubt(self) -> str:
        """Why free space is not certain."""
        return f"container images take {self.images // GB} GB of the disk by estimate; no source lists their sizes"

    @property
    def needed_gib(self) -> int:
        """The size with which all of it stays below the threshold at which the kubelet deletes images."""
        used = self.operating_system + self.images + self.for_pods
        return math.ceil(used * PERCENT / self.image_gc_percent / GIB)


def node_disk(group: NodeGroupPlan, plan: ClusterPlan, catalog: Catalog) -> NodeDisk | None:
    """The disk of one node, which may hold each of ``neuron.containers`` that its chip runs, and one at least.

    A group without Neuron devices holds the images of the cluster's software, and one of ``neuron.containers`` where
    pods of bundled charts run that request no devices.

    None where no source has its size.
    """
    machine = group.machine
    disks, volume = machine.local_disks, machine.root_volume
    size = volume.size_gib * GIB if volume is not None else None
    if disks is not None:
        size = disks.total_gb * GB if disks.total_gb is not None else None
    if size is None:
        return None
    ami_type = catalog.ami_types.get(group.image.family) if disks is None else None
    return NodeDisk(
        size=size,
        operating_system=((ami_type.root_volume_gib or 0) if ami_type is not None else 0) * GIB,
        images=_images_gb(group, plan, catalog) * GB,
        for_pods=catalog.limits["node_disk_room"].require_minimum() * GIB,
        image_gc_percent=catalog.limits["node_disk_image_gc"].require_maximum(),
    )


def _images_gb(group: NodeGroupPlan, plan: ClusterPlan, catalog: Catalog) -> int:
    large_image = catalog.limits["large_image"].require_maximum()
    if not group.machine.is_neuron:
        of_charts = large_image if _runs_charts_without_devices(group, plan) else 0
        return catalog.limits["software_images"].require_maximum() + of_charts
    row = catalog.instance_types.get(group.machine.instance_type)
    listed = [catalog.containers.get(name) for name in plan.containers]
    there = [image for image in listed if image is None or row is None or catalog.container_runs_on(image, row)]
    return max(len(there), 1) * large_image


def _runs_charts_without_devices(group: NodeGroupPlan, plan: ClusterPlan) -> bool:
    """model-store, neuron-explorer and compile-cache-warmer; `workload` renders charts for clusters with Neuron groups
    alone."""
    cluster = plan.kubernetes
    return (
        cluster is not None and group == cluster.processor_group and any(g.machine.is_neuron for g in plan.node_groups)
    )
