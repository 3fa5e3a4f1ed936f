from __future__ import annotations

from collections.abc import Sequence

from neuron_cluster.findings.text import listed
from neuron_cluster.rules.base import Rule, RuleContext, Violation, Violations
from neuron_cluster.schedulers.kubernetes.listed_quotas import group_quotas


class QuotaOfUnconnectedDevices(Rule):
    """A quota is one device, or a multiple of the connected devices that a pod can have (`teams[].quota[].devices`).

    Only a warning: pods of one device each use any quota. Instance types without a restriction are not checked.

    Without this check AWS reports no error. A job of pods with several connected devices leaves the rest of the quota
    unused, and a pod that requests all of it is not scheduled.
    """

    id = "W2068"
    source = (
        "https://awsdocs-neuron.readthedocs-hosted.com/en/latest/deploy/infrastructure/scheduler.html; catalog: "
        "pod_device_counts"
    )
    proposes = ("devices",)

    def check(self, context: RuleContext) -> Violations:
        for group in group_quotas(context.environment):
            counts = context.catalog.pod_device_counts.of_instance_type(group.group.spec.instance_type)
            for each in group.quotas if counts else ():
                devices = each.spec.devices
                if choice := _choice(devices, counts):
                    yield Violation(
                        (*each.path, "devices"),
                        f"pods of {group.group.name} ({group.group.spec.instance_type}) can have "
                        f"{listed(counts, 'or')} connected devices: no number of equal pods with several of them uses "
                        f"all {devices}",
                        f"write devices: {listed(choice, 'or')}, unless the team runs pods of one device",
                    )


def _choice(devices: int, counts: Sequence[int]) -> list[int]:
    """The nearest quotas that equal pods use fully; none where this one is."""
    several = [count for count in counts if count > 1]
    if devices in (0, *counts) or any(devices % count == 0 for count in several):
        return []
    smallest = min(several)
    below = devices - devices % smallest
    return [each for each in (below, below + smallest) if each]
