from __future__ import annotations

from neuron_cluster.catalog.catalog import Catalog
from neuron_cluster.template_rules.base import TemplateContext, TemplateRule, Violation, Violations
from neuron_cluster.template_rules.property_tree import at, text


class UnknownAvailabilityZone(TemplateRule):
    """A subnet is in an Availability Zone of the Region (`AvailabilityZoneId`).

    Where the Region is unknown, a zone of any Region is accepted.
    """

    id = "E8121"
    operation = "ec2:CreateSubnet"
    error_code = "InvalidParameterValue"
    source = "https://docs.aws.amazon.com/ram/latest/userguide/working-with-az-ids.html"
    types = ("AWS::EC2::Subnet",)

    def check(self, context: TemplateContext) -> Violations:
        look_up, catalog = context.look_up, context.catalog
        zone_id = text(at(context.resource.properties, "AvailabilityZoneId"))
        if zone_id is None:
            return
        home = catalog.regions.of_zone_id(zone_id)
        if home is None:
            yield Violation("AvailabilityZoneId", f"{zone_id} is a zone of no Region", _hint(look_up.region, catalog))
        elif look_up.region not in (None, home):
            yield Violation(
                "AvailabilityZoneId",
                f"{zone_id} is a zone of {home}; the environment is in {look_up.region}",
                _hint(look_up.region, catalog),
            )


def _hint(region: str | None, catalog: Catalog) -> str:
    zones = catalog.regions.zone_ids(region) if region is not None else ()
    return f"write one of {', '.join(zones)}" if zones else "write the id of an Availability Zone of the Region"
