"""Availability Zones in which S3 Express One Zone has directory buckets."""

from __future__ import annotations

import functools
from collections.abc import Iterator

from neuron_cluster.catalog.frozen_map import FrozenMap
from neuron_cluster.catalog.region import zone_ids
from neuron_cluster.catalog.source_data import DATA_DIRECTORY, read_rows
from neuron_cluster.catalog.sourced_row import SourcedRow


class ExpressZones(SourcedRow, frozen=True, kw_only=True):
    """The zones with S3 Express in one Region; rows have the name of the Region."""

    zone_ids: tuple[str, ...]

    def contradictions(self) -> Iterator[tuple[str, str]]:
        for zone_id in self.zone_ids:
            if zone_id not in zone_ids(self.name):
                yield "zone_ids", f"{zone_id} is not a zone of {self.name}"


@functools.cache
def express_zones() -> FrozenMap[str, ExpressZones]:
    """All by Region."""
    return read_rows(DATA_DIRECTORY / "express_zones.yaml", ExpressZones)
