"""From where a chart's images come: the regional registry, the image cache, the digests of the lock."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec.structs import replace

from local_kubernetes.model.chart_values import value_at, with_value
from neuron_cluster.catalog.catalog import Catalog
from neuron_cluster.catalog.chart import Chart
from neuron_cluster.catalog.region import Region
from neuron_cluster.plan.addon_plan import ChartPlan
from neuron_cluster.plan.chart_images import (
    BUNDLED_IMAGE,
    bundled_chart_image,
    chart_repositories,
    image_of_values,
    image_references,
)
from neuron_cluster.plan.image_cache_plan import ImageCachePlan


def regional_images(chart: Chart | None, region: Region | None) -> Mapping[str, Any]:
    """Values that name the registry of the cluster's Region: the charts' own defaults name that of one Region.

    Nodes elsewhere would pull across Regions, from an account that has no such registry in some of them.
    """
    values: Mapping[str, Any] = {}
    if chart is None or region is None:
        return values
    for image in chart.images:
        registry = image.registry_in(region.name, region.eks_image_registry)
        if registry is not None:
            for path, value in image.values_for(f"{registry}/{image.repository}").items():
                values = with_value(values, path, value)
    return values


def through_cache(chart: ChartPlan, cache: ImageCachePlan, catalog: Catalog) -> ChartPlan:
    """The chart with every image, and the chart itself, taken from the cache where it has their registry.

    Images of a registry that requires credentials, and charts of a chart repository (``https://``), stay as they are
    where the network reaches them; elsewhere they are copies.
    """
    values = chart.values
    for path, value in _cached_images(chart, cache, catalog).items():
        values = with_value(values, path, value)
    mirror = cache.mirror_of_chart(chart.repository, chart.chart)
    return replace(chart, repository=mirror or chart.repository, values=values)


def _cached_images(chart: ChartPlan, cache: ImageCachePlan, catalog: Catalog) -> Mapping[str, str]:
    """Returns the settings by dotted path of the values."""
    row = catalog.charts.get(chart.chart)
    if row is None:
        bundled = bundled_chart_image(chart, catalog)
        mirror = cache.mirror_of(bundled[0]) if bundled is not None else None
        return {f"{BUNDLED_IMAGE}.repository": mirror} if mirror is not None else {}
    values: dict[str, str] = {}
    for image, repository in chart_repositories(chart, row):
        mirror = cache.mirror_of(repository)
        if mirror is not None:
            values |= image.values_for(mirror, image_of_values(image, chart.values)[1])
    return values


def digests_in_values(
    chart: ChartPlan, digests: Mapping[str, str | None], region: Region | None, catalog: Catalog
) -> dict[str, str]:
    """Returns settings by dotted path with which the chart runs its images by digest. Charts that take no digest run
    what their registry has under the tag; `deploy` compares those with the lock before it starts.

    ``digests`` are those of the lock, by repository and tag as their authors publish them.
    """
    row = catalog.charts.get(chart.chart)
    if row is None:
        bundled = bundled_chart_image(chart, catalog)
        digest = digests.get("".join(bundled)) if bundled is not None else None
        return {f"{BUNDLED_IMAGE}.digest": digest} if digest is not None else {}
    registry = region.eks_image_registry if region is not None else None
    found: dict[str, str] = {}
    for image, reference in image_references(chart, row, registry):
        digest, key = digests.get(reference), image.digest
        if digest is not None and key is not None and value_at(chart.values, key.path) is None:  # the file wins
            found[key.path] = key.value_for(digest)
    return found
