from __future__ import annotations

from collections.abc import Iterator

from neuron_cluster.catalog.catalog import Catalog
from neuron_cluster.config.source_map import KeyPath
from neuron_cluster.findings.text import listed
from neuron_cluster.resolved.resolved_environment import ResolvedEnvironment
from neuron_cluster.rules.base import Rule, RuleContext, Violation, Violations
from neuron_cluster.rules.fitting_zones import zones_for_lustre, zones_for_machines, zones_of_network


class ZoneNotInRegion(Rule):
    """Every Availability Zone is a zone id of the environment's Region (`availability_zone`).

    Zone ids (``usw2-az4``) identify the same location in every account. Zone names (``us-west-2a``) do not and are not
    allowed.

    Without this check EC2 rejects the subnet with InvalidParameterValue, "Value (usw2-az99) for parameter
    availabilityZoneId is invalid", after the VPC has been created, and the network stack rolls back.
    """

    id = "E1001"
    source = "https://docs.aws.amazon.com/ram/latest/userguide/working-with-az-ids.html"
    references = ("awslabs/data-on-eks#421",)

    def check(self, context: RuleContext) -> Violations:
        config = context.environment.config
        known = context.catalog.regions.zone_ids(config.region)
        if not known:  # rule E6001 reports the unknown Region
            return
        for path, zone_id, fitting in _zones_in(context.environment, context.catalog):
            if zone_id in known:
                continue
            home = context.catalog.regions.of_zone_id(zone_id)
            elsewhere = f" (it belongs to {home})" if home else ""
            yield Violation(
                path,
                f"{zone_id} is not a zone of {config.region}{elsewhere}; its zones are {listed(known)}",
                f"write {listed(fitting, 'or')}" if fitting else "remove it: every zone of the Region is listed",
            )


def _zones_in(environment: ResolvedEnvironment, catalog: Catalog) -> Iterator[tuple[KeyPath, str, list[str]]]:
    """Every zone of the file, with the valid alternatives."""
    config = environment.config
    named = config.network.zone_ids
    unused = [zone_id for zone_id in catalog.regions.zone_ids(config.region) if zone_id not in named]
    for path, zone_id in (*config.network.zones, *config.network.public_zones):
        yield path, zone_id, unused
    storage = config.storage
    if storage is not None and storage.lustre is not None:
        fitting = zones_for_lustre(environment, catalog)
        yield ("storage", "lustre", "availability_zone"), storage.lustre.availability_zone, fitting
    for position, home in enumerate(storage.homes if storage is not None else ()):
        fitting = zones_of_network(config, catalog)
        yield ("storage", "homes", position, "availability_zone"), home.availability_zone, fitting
    for group in environment.compute_groups:
        if group.spec.availability_zone is not None:
            fitting = zones_for_machines(group.instance_type, config, catalog)
            yield (*group.path, "availability_zone"), group.spec.availability_zone, fitting
