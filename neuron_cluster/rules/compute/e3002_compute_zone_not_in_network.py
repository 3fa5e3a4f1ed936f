from __future__ import annotations

from neuron_cluster.findings.text import listed
from neuron_cluster.rules.base import Rule, RuleContext, Violation, Violations
from neuron_cluster.rules.fitting_zones import zones_for_machines


class ComputeZoneNotInNetwork(Rule):
    """The zone of a node group or workstation is one of `network.availability_zones` (`availability_zone`).

    Without this check the group has no subnet, and synthesis fails.
    """

    id = "E3002"
    source = "the design of this toolkit: subnets exist in the zones of network.availability_zones only"

    def check(self, context: RuleContext) -> Violations:
        catalog = context.catalog
        config = context.environment.config
        zones, known = config.network.zone_ids, catalog.regions.zone_ids(config.region)
        for group in context.environment.compute_groups:
            zone_id = group.spec.availability_zone
            if zone_id is None or zone_id in zones or zone_id not in known:  # else rule E1001
                continue
            fitting = zones_for_machines(group.instance_type, config, catalog)
            yield Violation(
                (*group.path, "availability_zone"),
                f"availability_zone of {group.name} is {zone_id}, but {config.network.zones_key} has only "
                f"{listed(zones)}",
                f"{config.network.way_to_add(zone_id)}, or write {listed(fitting, 'or')}",
            )
