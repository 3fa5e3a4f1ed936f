from __future__ import annotations

import math

from neuron_cluster.plan.node_disk import node_disk
from neuron_cluster.rules.base import Needs, Rule, RuleContext, Violation, Violations

MIB = 1024 * 1024


class SlowRootVolumeForImages(Rule):
    """The root volume of a Neuron node writes a large image within two minutes (`root_volume.throughput_mibps`).

    With local_disks: raid0 images are on the instance's local disks, and the root volume has no effect. Only a
    warning: small images load fast on any volume.

    Without this check AWS reports no error. Each new node is idle and billed while its first pod is ContainerCreating.
    """

    id = "W3063"
    needs = Needs.PLAN
    source = "https://docs.aws.amazon.com/ebs/latest/userguide/general-purpose.html; catalog: limits, large_image"

    def check(self, context: RuleContext) -> Violations:
        image_gb = context.catalog.limits["large_image"].require_maximum()
        max_seconds = context.catalog.limits["large_image_load_time"].require_maximum()
        iops_per_mibps = context.catalog.limits["ebs_gp3_iops_per_mibps"].require_minimum()
        image_mib = image_gb * 10**9 / MIB
        wanted = math.ceil(image_mib / max_seconds)
        for group in context.plan.node_groups:
            volume = group.machine.root_volume
            if volume is None or not group.machine.is_neuron or group.machine.local_disks is not None:
                continue
            if volume.throughput_mibps < wanted:
                disk = node_disk(group, context.plan, context.catalog)
                size = max(volume.size_gib, disk.needed_gib if disk is not None else 0)
                iops = wanted * iops_per_mibps
                more = f", iops: {iops}" if iops > volume.iops else ""
                yield Violation(
                    (*group.path, "root_volume", "throughput_mibps"),
                    f"the root volume of {group.name} writes {volume.throughput_mibps} MiB/s, so that an image of "
                    f"{image_gb} GB requires at least {math.ceil(image_mib / volume.throughput_mibps)} s on each new "
                    "node",
                    f"set root_volume: {{size_gib: {size}, throughput_mibps: {wanted}{more}}}, or more",
                )
