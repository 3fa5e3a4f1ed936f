"""The image of a chart of ours: what its values say, else the one it is written for."""

from __future__ import annotations

from collections.abc import Mapping

from neuron_cluster.catalog.catalog import Catalog
from neuron_cluster.plan.addon_plan import ChartPlan

IMAGE = "image"
"""The key that every chart of ours keeps its image at, as ``repository``, ``tag`` and ``digest``."""


def own_chart_image(chart: ChartPlan, catalog: Catalog) -> tuple[str, str] | None:
    """Repository (with its host) and ``:tag`` or ``@digest``; None where neither values nor catalog name one.

    A chart that takes the place of a published manifest runs the image of the manifest.
    """
    manifest = next((row for row in catalog.manifests if row.chart == chart.chart), None)
    repository, _, tag = manifest.image.rpartition(":") if manifest is not None else ("", "", "")
    said = chart.values.get(IMAGE)
    values: Mapping[str, str] = said if isinstance(said, Mapping) else {}
    repository, tag = values.get("repository") or repository, values.get("tag") or tag
    digest = values.get("digest")
    if not repository or not (tag or digest):
        return None
    return repository, f"@{digest}" if digest else f":{tag}"
