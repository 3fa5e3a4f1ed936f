"""The availability zones of this local AWS: moto's, and those that the catalog knows beside them."""

from __future__ import annotations

import string
from typing import TYPE_CHECKING

from local_aws.knowledge.current import knowledge

if TYPE_CHECKING:
    from collections.abc import Iterable


def add_known_zones() -> None:
    """Without it a subnet in ``euw2-az4``, which the rules admit, would be refused.

    What letter a zone has differs from account to account; a zone that moto lacks gets the next free one.
    """
    from moto.ec2.models.availability_zones_and_regions import RegionsAndZonesBackend, Zone

    for region in knowledge().regions.values():
        zones = RegionsAndZonesBackend.zones.setdefault(region.name, [])
        there = {zone.zone_id for zone in zones}
        names = _free_names(region.name, {zone.name for zone in zones})
        missing = (zone_id for zone_id in region.zone_ids if zone_id not in there)
        zones += [Zone(name, region.name, zone_id) for zone_id, name in zip(missing, names, strict=False)]


def is_region(name: str) -> bool:
    """Whether this local AWS has zones there: in the Regions of moto and of the catalog."""
    from moto.ec2.models.availability_zones_and_regions import RegionsAndZonesBackend

    return name in RegionsAndZonesBackend.zones


def _free_names(region: str, taken: set[str]) -> Iterable[str]:
    return (name for letter in string.ascii_lowercase if (name := f"{region}{letter}") not in taken)
