from __future__ import annotations

from neuron_cluster.findings.text import listed
from neuron_cluster.rules.base import Rule, RuleContext, Violation, Violations
from neuron_cluster.rules.fitting_zones import zones_for_lustre


class LustreZoneNotInNetwork(Rule):
    """The Availability Zone of the FSx for Lustre file system is one of `network.availability_zones`.

    Without this check the stack of the file system has no subnet, and synthesis fails.
    """

    id = "E4003"
    source = "the design of this toolkit: subnets exist in the zones of network.availability_zones only"

    def check(self, context: RuleContext) -> Violations:
        config = context.environment.config
        lustre = config.storage.lustre if config.storage is not None else None
        zones = config.network.zone_ids
        if lustre is None or lustre.availability_zone in zones:
            return
        if lustre.availability_zone in context.catalog.regions.zone_ids(config.region):  # else rule E1001
            fitting = zones_for_lustre(context.environment, context.catalog)
            yield Violation(
                ("storage", "lustre", "availability_zone"),
                f"availability_zone is {lustre.availability_zone}, but {config.network.zones_key} has only "
                f"{listed(zones)}",
                f"{config.network.way_to_add(lustre.availability_zone)}, or write {listed(fitting, 'or')}",
            )
