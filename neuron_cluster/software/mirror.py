"""Charts and their images through the cache of the account: what is set where."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec.structs import replace

from neuron_cluster.catalog.catalog import Catalog
from neuron_cluster.chart_values import with_value
from neuron_cluster.plan.addon_plan import ChartPlan
from neuron_cluster.plan.image_cache_plan import ImageCachePlan
from neuron_cluster.software.chart_images import chart_repositories
from neuron_cluster.software.own_chart_image import IMAGE, own_chart_image


def through_cache(charts: Sequence[ChartPlan], cache: ImageCachePlan, catalog: Catalog) -> tuple[ChartPlan, ...]:
    """The charts with every image, and the chart itself, taken from the cache where it has their registry.

    Images of a registry that asks for credentials, and charts of a chart repository (``https://``), stay as they are
    where the network reaches them; elsewhere they are copies.
    """
    return tuple(_through_cache(chart, cache, catalog) for chart in charts)


def _through_cache(chart: ChartPlan, cache: ImageCachePlan, catalog: Catalog) -> ChartPlan:
    values = chart.values
    for path, setting in _settings(chart, cache, catalog).items():
        values = with_value(values, path, setting)
    mirror = cache.mirror_of_chart(chart.repository, chart.chart)
    return replace(chart, repository=mirror or chart.repository, values=values)


def _settings(chart: ChartPlan, cache: ImageCachePlan, catalog: Catalog) -> Mapping[str, str]:
    """What to set at which dotted path of the values."""
    row = catalog.chart(chart.chart)
    if row is None:
        own = own_chart_image(chart, catalog)
        mirror = cache.mirror_of(own[0]) if own is not None else None
        return {f"{IMAGE}.repository": mirror} if mirror is not None else {}
    settings: dict[str, str] = {}
    for image, repository in chart_repositories(chart, row):
        mirror = cache.mirror_of(repository)
        if mirror is not None:
            settings |= image.values_for(mirror)
    return settings
