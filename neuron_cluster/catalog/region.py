"""AWS Regions and their availability zones, by zone id: zone letters differ from account to account, ids do not."""

from __future__ import annotations

import functools
from collections.abc import Iterator
from datetime import date

from neuron_cluster.catalog.frozen_map import FrozenMap
from neuron_cluster.catalog.source_data import DATA_DIRECTORY, read_rows
from neuron_cluster.catalog.sourced_row import SourcedRow
from neuron_cluster.findings.suggestions import suggestions


class Region(SourcedRow, frozen=True, kw_only=True):
    """One Region. EKS cannot place a control plane's interfaces in ``eks_control_plane_excluded`` zones.

    ``eks_image_registry`` is the host of the ECR registry from which EKS serves its own images in this Region.
    """

    partition: str
    zone_ids: tuple[str, ...]
    zone_ids_as_of: date
    eks_control_plane_excluded: tuple[str, ...] = ()
    eks_image_registry: str | None = None

    @property
    def eks_control_plane_zone_ids(self) -> tuple[str, ...]:
        """The zones that a cluster's own subnets may be in."""
        return tuple(zone_id for zone_id in self.zone_ids if zone_id not in self.eks_control_plane_excluded)

    def contradictions(self) -> Iterator[tuple[str, str]]:
        if not self.zone_ids or len(set(self.zone_ids)) != len(self.zone_ids):
            yield "zone_ids", "must be there, each once"
        for zone_id in self.eks_control_plane_excluded:
            if zone_id not in self.zone_ids:
                yield "eks_control_plane_excluded", f"{zone_id} is not one of zone_ids"
        if self.eks_image_registry and f".{self.name}." not in self.eks_image_registry:
            yield "eks_image_registry", "is not in this Region"


@functools.cache
def regions() -> FrozenMap[str, Region]:
    """All Regions by name."""
    return read_rows(DATA_DIRECTORY / "regions.yaml", Region)


def region(name: str) -> Region | None:
    """The Region of this name, or None."""
    return regions().get(name)


def similar_regions(name: str) -> list[str]:
    """Known Regions whose names look like ``name``."""
    return suggestions(name, regions())


def zone_ids(name: str) -> tuple[str, ...]:
    """The availability zone ids of a Region; empty when the Region is not known."""
    found = region(name)
    return found.zone_ids if found else ()


def region_of_zone_id(zone_id: str) -> str | None:
    """The Region that has this availability zone id, or None."""
    return next((found.name for found in regions().values() if zone_id in found.zone_ids), None)
