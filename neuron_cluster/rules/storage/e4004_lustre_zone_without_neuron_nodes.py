from __future__ import annotations

from neuron_cluster.findings.text import listed
from neuron_cluster.rules.base import Rule, RuleContext, Violation, Violations


class LustreZoneWithoutNeuronNodes(Rule):
    """The FSx for Lustre file system is in a zone in which a Neuron node group runs (`availability_zone`).

    Without this check AWS reports no error. All checkpoint traffic crosses Availability Zones: it is slower and billed
    per gigabyte in both directions. The zone of a file system cannot be changed: it requires a new file system and a
    copy of the data.
    """

    id = "E4004"
    source = "https://docs.aws.amazon.com/fsx/latest/LustreGuide/performance-tips.html"
    proposes = ("availability_zone",)

    def check(self, context: RuleContext) -> Violations:
        config = context.environment.config
        lustre = config.storage.lustre if config.storage is not None else None
        groups = [group for group in context.environment.cluster_groups if group.is_neuron]
        if lustre is None or not groups or lustre.availability_zone not in config.network.zone_ids:
            return  # a zone that does not exist or is not in the network: rules E1001 and E4003
        if any(lustre.availability_zone in group.zone_ids for group in groups):
            return
        if not all(context.environment.are_zones_known(group, context.catalog) for group in groups):
            return  # the group in the same zone may be the one whose zone is misspelt
        zones = dict.fromkeys(zone_id for group in groups for zone_id in group.zone_ids)
        yield Violation(
            ("storage", "lustre", "availability_zone"),
            f"Lustre is in {lustre.availability_zone}, but the Neuron node groups run in {listed(zones)}",
            f"set availability_zone: {listed(zones, 'or')}, or set availability_zone: {lustre.availability_zone} in "
            f"{listed((a.name for a in groups), 'or')}",
        )
