from __future__ import annotations

from neuron_cluster.findings.text import listed
from neuron_cluster.rules.base import Rule, RuleContext, Violation, Violations


class HomeZoneNotInNetwork(Rule):
    """The Availability Zone of a home volume is one of `network.availability_zones` (`storage.homes`).

    Without this check EC2 creates the volume, but no workstation of this network can attach it: a volume cannot be
    moved to another zone.
    """

    id = "E7008"
    source = "https://docs.aws.amazon.com/ebs/latest/userguide/ebs-attaching-volume.html"

    def check(self, context: RuleContext) -> Violations:
        config = context.environment.config
        zones = config.network.zone_ids
        for position, home in enumerate(config.storage.homes if config.storage is not None else []):
            zone_id = home.availability_zone
            if zone_id not in zones and zone_id in context.catalog.regions.zone_ids(config.region):  # else rule E1001
                yield Violation(
                    ("storage", "homes", position, "availability_zone"),
                    f"availability_zone of the home {home.name} is {zone_id}, but the network has only {listed(zones)}",
                    f"{config.network.way_to_add(zone_id)}, or write {listed(zones, 'or')}",
                )
