"""AWS Regions and their availability zones, by zone id: zone letters differ from account to account, ids do not."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date

from neuron_cluster.catalog.sourced_row import SourcedRow
from neuron_cluster.catalog.table import Table


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


class RegionTable(Table[Region]):
    def zone_ids(self, name: str) -> tuple[str, ...]:
        """The availability zone ids of a Region; empty when the Region is not known."""
        row = self.get(name)
        return row.zone_ids if row is not None else ()

    def of_zone_id(self, zone_id: str) -> str | None:
        """The name of the Region that has this availability zone id, or None."""
        return next((row.name for row in self if zone_id in row.zone_ids), None)
