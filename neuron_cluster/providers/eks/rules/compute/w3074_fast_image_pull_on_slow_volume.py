from __future__ import annotations

from neuron_cluster.config.machine import LocalDisks
from neuron_cluster.providers.eks.node_groups import node_groups
from neuron_cluster.rules.base import Rule, RuleContext, Violation, Violations


class FastImagePullOnSlowVolume(Rule):
    """Images of a group with `fast_image_pull` are on local disks or on a fast root volume (`root_volume`).

    Without this check AWS reports no error. Parallel unpacking is limited by the volume, and pulls can take longer.
    """

    id = "W3074"
    source = "https://awslabs.github.io/amazon-eks-ami/nodeadm/doc/examples/ (Enabling fast image pull)"
    proposes = ("root_volume", "iops", "throughput_mibps", "fast_image_pull")

    def check(self, context: RuleContext) -> Violations:
        wanted = context.catalog.limits["fast_image_pull_throughput"].require_minimum()
        iops = wanted * context.catalog.limits["ebs_gp3_iops_per_mibps"].require_minimum()
        for group in node_groups(context.environment):
            volume = group.root_volume
            if not group.spec.fast_image_pull or group.local_disks is LocalDisks.RAID0 or volume is None:
                continue
            if volume.throughput_mibps < wanted:
                values = f"size_gib: {volume.size_gib}, throughput_mibps: {wanted}"
                values += f", iops: {max(iops, volume.iops)}"
                yield Violation(
                    (*group.path, "fast_image_pull"),
                    f"fast_image_pull is true, and the root volume of {group.name} writes "
                    f"{volume.throughput_mibps} MiB/s",
                    f"set root_volume: {{{values}}}, or remove fast_image_pull",
                )
