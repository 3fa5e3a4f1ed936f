"""Images that EKS serves from a registry of its own in every Region."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from neuron_cluster.catalog.chart import Chart
from neuron_cluster.catalog.region import Region
from neuron_cluster.chart_values import merged


def regional_images(chart: Chart | None, region: Region | None) -> Mapping[str, Any]:
    """Values that name the registry of the cluster's Region: the charts' own defaults name that of one Region.

    Nodes elsewhere would pull across Regions, from an account that has no such registry in some of them.
    """
    values: dict[str, Any] = {}
    registry = region.eks_image_registry if region is not None else None
    for image in chart.images if chart is not None and registry is not None else ():
        if image.registry == "eks_regional":
            for path, setting in image.values_for(f"{registry}/{image.repository}").items():
                values = merged(values, _nested(path, setting))
    return values


def _nested(path: str, setting: str) -> Mapping[str, Any]:
    first, _, rest = path.partition(".")
    return {first: _nested(rest, setting) if rest else setting}
