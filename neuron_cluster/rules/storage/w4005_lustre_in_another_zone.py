from __future__ import annotations

from neuron_cluster.findings.text import listed
from neuron_cluster.rules.base import Rule, RuleContext, Violation, Violations


class LustreInAnotherZone(Rule):
    """Every Neuron node group can run in the zone of the FSx for Lustre file system (`availability_zone`).

    Only a warning while one group is in the zone: the others may not mount the file system.

    Without this check AWS reports no error. Reads and writes from another Availability Zone are slower and billed per
    gigabyte in both directions.
    """

    id = "W4005"
    source = "https://docs.aws.amazon.com/fsx/latest/LustreGuide/performance-tips.html"

    def check(self, context: RuleContext) -> Violations:
        environment = context.environment
        config = environment.config
        lustre = config.storage.lustre if config.storage is not None else None
        groups = [group for group in environment.cluster_groups if group.is_neuron]
        if lustre is None or not any(lustre.availability_zone in group.zone_ids for group in groups):
            return  # rule E4004
        for group in groups:
            if lustre.availability_zone not in group.zone_ids and environment.are_zones_known(group, context.catalog):
                yield Violation(
                    (*group.path, "availability_zone"),
                    f"{group.name} runs in {listed(group.zone_ids)}, but Lustre is in {lustre.availability_zone}",
                    f"move {group.name} to {lustre.availability_zone} if {group.seller} offers its type there, or keep "
                    "its data in S3",
                )
