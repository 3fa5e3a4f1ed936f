"""Availability Zones in which S3 Express One Zone has directory buckets."""

from __future__ import annotations

from neuron_cluster.catalog.sourced_row import SourcedRow
from neuron_cluster.catalog.table import Table


class ExpressZones(SourcedRow, frozen=True, kw_only=True):
    """The zones with S3 Express in one Region; rows have the name of the Region."""

    zone_ids: tuple[str, ...]


class ExpressZonesTable(Table[ExpressZones]):
    def zone_ids(self, region: str) -> tuple[str, ...]:
        """Zones in which S3 Express One Zone has buckets; none in a Region without it."""
        row = self.get(region)
        return row.zone_ids if row is not None else ()
