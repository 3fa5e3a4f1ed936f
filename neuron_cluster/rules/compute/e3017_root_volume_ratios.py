from __future__ import annotations

import math

from neuron_cluster.rules.base import Rule, RuleContext, Violation, Violations


class RootVolumeRatios(Rule):
    """A gp3 volume has at most 500 IOPS per GiB and at least 4 IOPS per MiB/s (`root_volume`).

    Without this check EC2 rejects every launch with InvalidParameterCombination, "The throughput to iops ratio is too
    high", and the group becomes CREATE_FAILED.
    """

    id = "E3017"
    source = "https://docs.aws.amazon.com/ebs/latest/userguide/general-purpose.html"
    proposes = ("iops", "throughput_mibps")

    def check(self, context: RuleContext) -> Violations:
        iops_per_gib = context.catalog.limits["ebs_gp3_iops_per_gib"].require_maximum()
        iops_per_mibps = context.catalog.limits["ebs_gp3_iops_per_mibps"].require_minimum()
        for group in context.environment.compute_groups:
            volume = group.spec.root_volume
            if volume is None:
                continue
            path = (*group.path, "root_volume")
            max_iops, max_mibps = volume.size_gib * iops_per_gib, volume.iops // iops_per_mibps
            if volume.iops > max_iops:
                yield Violation(
                    (*path, "iops"),
                    f"iops is {volume.iops}, but {volume.size_gib} GiB allow at most {max_iops} ({iops_per_gib} per "
                    "GiB)",
                    f"lower iops to {max_iops}, or set size_gib: {math.ceil(volume.iops / iops_per_gib)}",
                )
            if volume.throughput_mibps * iops_per_mibps > volume.iops:
                yield Violation(
                    (*path, "throughput_mibps"),
                    f"throughput_mibps is {volume.throughput_mibps}, but {volume.iops} IOPS allow at most "
                    f"{max_mibps} ({iops_per_mibps} IOPS per MiB/s)",
                    f"lower throughput_mibps to {max_mibps}, or set iops: {volume.throughput_mibps * iops_per_mibps}",
                )
