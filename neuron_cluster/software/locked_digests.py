"""Digests of a lock in the values of charts that take one.

Charts that take none run what their registry has under the tag; `deploy` compares those with the lock before it starts.
"""

from __future__ import annotations

from collections.abc import Mapping

from neuron_cluster.catalog.catalog import Catalog
from neuron_cluster.catalog.region import Region
from neuron_cluster.chart_values import value_at
from neuron_cluster.plan.addon_plan import ChartPlan
from neuron_cluster.software.chart_images import image_references
from neuron_cluster.software.own_chart_image import IMAGE, own_chart_image


def digests_in_values(
    chart: ChartPlan, digests: Mapping[str, str | None], region: Region | None, catalog: Catalog
) -> dict[str, str]:
    """What to set at which dotted path, so that the chart runs its images by digest.

    ``digests`` are those of the lock, by repository and tag as their authors publish them.
    """
    row = catalog.chart(chart.chart)
    if row is None:
        own = own_chart_image(chart, catalog)
        digest = digests.get("".join(own)) if own is not None else None
        return {f"{IMAGE}.digest": digest} if digest is not None else {}
    registry = region.eks_image_registry if region is not None else None
    found: dict[str, str] = {}
    for image, reference in image_references(chart, row, registry):
        digest = digests.get(reference)
        setting = row.digest_setting(image, digest) if digest is not None else None
        if setting is not None and value_at(chart.values, setting[0]) is None:  # the file wins over its lock
            found[setting[0]] = setting[1]
    return found
