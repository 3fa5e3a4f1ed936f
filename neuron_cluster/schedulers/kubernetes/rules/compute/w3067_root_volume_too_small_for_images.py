from __future__ import annotations

from local_kubernetes.model.quantity import GB, GIB
from neuron_cluster.plan.node_disk import node_disk
from neuron_cluster.rules.base import Needs, Rule, RuleContext, Violation, Violations


class RootVolumeTooSmallForImages(Rule):
    """A root volume holds the container images of its nodes, and space for logs and pods (`root_volume`).

    Counted are the AMI, images, and space for logs and pods; all of it must stay below the disk usage at which the
    kubelet deletes images. Images are one large image for each of neuron.containers that supports the Neuron chip (at
    least one); without Neuron devices those of the cluster's software, and one large image on the first group without
    taints, where model-store, neuron-explorer and compile-cache-warmer run. Only a warning: no source lists sizes.

    Without this check AWS reports no error. The kubelet deletes images while pods require them, pulls fail with "no
    space left on device", and pods are evicted with "The node was low on resource: ephemeral-storage".
    """

    id = "W3067"
    needs = Needs.PLAN
    source = (
        "https://kubernetes.io/docs/concepts/scheduling-eviction/node-pressure-eviction/; catalog: limits large_image, "
        "software_images, node_disk_room, node_disk_image_gc"
    )

    def check(self, context: RuleContext) -> Violations:
        for group in context.plan.node_groups:
            disk = node_disk(group, context.plan, context.catalog)
            volume = group.machine.root_volume
            if disk is None or volume is None or group.machine.local_disks is not None:
                continue
            if disk.size >= disk.needed_gib * GIB:
                continue
            parts = (
                f"its AMI ({disk.operating_system // GIB} GiB), container images ({disk.images // GB} GB) "
                f"and space for pods ({disk.for_pods // GIB} GiB)"
            )
            yield Violation(
                (*group.path, "root_volume", "size_gib"),
                f"the root volume of {group.name} has {volume.size_gib} GiB; {parts} "
                f"require {disk.needed_gib} GiB, of which {disk.image_gc_percent} percent may be in use",
                f"set root_volume: {{size_gib: {disk.needed_gib}, iops: {volume.iops}, "
                f"throughput_mibps: {volume.throughput_mibps}}}, or a larger size_gib",
            )
