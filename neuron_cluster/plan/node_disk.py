"""The disk that holds images and what pods write: how large it is, and what is on it before a pod writes anything."""

from __future__ import annotations

import math
from collections.abc import Sequence

from msgspec import Struct

from neuron_cluster.catalog.catalog import Catalog
from neuron_cluster.kubernetes.quantity import GB, GIB
from neuron_cluster.plan.compute_group_plan import ComputeGroupPlan
from neuron_cluster.plan.machine_plan import MachinePlan

PERCENT = 100


class NodeDisk(Struct, frozen=True):
    """The file system with the directories of kubelet and containerd, in bytes."""

    size: int
    operating_system: int
    """At most: the size of the image that the node boots from; 0 on the instance's local disks."""
    images: int
    """Container images, estimated (limits ``large_image`` and ``software_images``)."""
    for_pods: int
    """What logs and pods need at least."""
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


def node_disk(group: ComputeGroupPlan, containers: Sequence[str], catalog: Catalog) -> NodeDisk | None:
    """The disk of one node, which may hold each of the ``containers`` that its chip runs, and one at least.

    None where no source has its size.
    """
    machine = group.machine
    disks = machine.local_disks
    if disks is not None and disks.total_gb is None:
        return None
    ami_type = catalog.ami_type(group.image.family) if disks is None else None
    return NodeDisk(
        size=machine.root_volume.size_gib * GIB if disks is None else (disks.total_gb or 0) * GB,
        operating_system=((ami_type.root_volume_gib or 0) if ami_type is not None else 0) * GIB,
        images=_images_gb(machine, containers, catalog) * GB,
        for_pods=catalog.limit("node_disk_room").require_minimum() * GIB,
        image_gc_percent=catalog.limit("node_disk_image_gc").require_maximum(),
    )


def _images_gb(machine: MachinePlan, containers: Sequence[str], catalog: Catalog) -> int:
    if not machine.is_neuron:
        return catalog.limit("software_images").require_maximum()
    row = catalog.instance_type(machine.instance_type)
    listed = [catalog.container(name) for name in containers]
    there = [image for image in listed if image is None or row is None or catalog.container_runs_on(image, row)]
    return max(len(there), 1) * catalog.limit("large_image").require_maximum()
