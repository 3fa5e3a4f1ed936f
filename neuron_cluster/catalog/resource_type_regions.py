"""Regions in which CloudFormation has a resource type, for types that not every Region has."""

from __future__ import annotations

from neuron_cluster.catalog.sourced_row import SourcedRow


class ResourceTypeRegions(SourcedRow, frozen=True, kw_only=True):
    """The Regions of one resource type; rows have the name of the type."""

    regions: tuple[str, ...]
