"""Regions in which CloudFormation has a resource type, for types that not every Region has."""

from __future__ import annotations

import functools
from collections.abc import Iterator

from neuron_cluster.catalog.frozen_map import FrozenMap
from neuron_cluster.catalog.region import region
from neuron_cluster.catalog.source_data import DATA_DIRECTORY, read_rows
from neuron_cluster.catalog.sourced_row import SourcedRow


class ResourceTypeRegions(SourcedRow, frozen=True, kw_only=True):
    """The Regions of one resource type; rows have the name of the type."""

    regions: tuple[str, ...]

    def contradictions(self) -> Iterator[tuple[str, str]]:
        for name in self.regions:
            if region(name) is None:
                yield "regions", f"{name} is not a known Region"


@functools.cache
def resource_type_regions() -> FrozenMap[str, ResourceTypeRegions]:
    """All by the name of the type."""
    return read_rows(DATA_DIRECTORY / "resource_type_regions.yaml", ResourceTypeRegions)
