from __future__ import annotations

from neuron_cluster.config.machine import Placement
from neuron_cluster.findings.text import listed
from neuron_cluster.rules.base import Rule, RuleContext, Violation, Violations


class PlacementGroupAcrossZones(Rule):
    """A node group with a cluster placement group runs in one Availability Zone (`placement`).

    Without this check the first node determines the zone, and EC2 rejects nodes in other zones with
    InvalidPlacementGroup.InUse or InsufficientInstanceCapacity; the group never reaches its desired size.
    """

    id = "E3020"
    source = "https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/placement-strategies.html#placement-groups-cluster"
    proposes = ("availability_zone", "placement")

    def check(self, context: RuleContext) -> Violations:
        for group in context.environment.cluster_groups:
            wants_group = group.spec.placement is Placement.CLUSTER
            if not wants_group or group.has_efa or group.is_reserved or len(group.zone_ids) == 1:
                continue  # rules E3005, E3006 and E3013 are more specific
            yield Violation(
                (*group.path, "placement"),
                f"placement is cluster, but {group.name} may run in {listed(group.zone_ids)}, and a cluster "
                "placement group is in one zone",
                f"add availability_zone: {listed(group.zone_ids, 'or')}, or remove placement",
            )
