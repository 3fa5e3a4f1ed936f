"""Charts and images that an environment needs, as tables and as data."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from neuron_cluster.catalog.catalog import Catalog
from neuron_cluster.catalog.chart import OCI, SHORT_COMMIT
from neuron_cluster.plan.chart_build import chart_builds
from neuron_cluster.plan.cluster_plan import ClusterPlan
from neuron_cluster.plan.needed_software import NeededChart, NeededImage, Origin
from neuron_cluster.report.plain_data import plain
from neuron_cluster.table import Table

WIDE = 160
"""Columns from which on everything is in one line, digests in full."""
NARROW = ("what", "needed by, comes")
BUNDLED_CHARTS = "Charts of this project come with it."
SHORT_DIGEST = len("sha256:") + 12
NOT_PINNED = "not in the lock"
IN_REACH = "within AWS"
"""From a private ECR registry: nodes without internet pull it through endpoints."""


def images_tables(
    charts: Sequence[NeededChart], images: Sequence[NeededImage], plan: ClusterPlan, width: int
) -> list[Table]:
    """Returns the tables. A table without rows is left out."""
    tables = [_charts(charts, plan, width), _images(images, plan, width)]
    return [table for table in tables if table.rows]


def closing_lines(images: Sequence[NeededImage], plan: ClusterPlan, catalog: Catalog, named: str) -> list[str]:
    """Returns lines on images of add-ons and on the ways to pull. ``named`` is the file in commands."""
    region = catalog.regions.get(plan.region)
    registry = (region.eks_image_registry if region is not None else None) or "the registry of EKS in the Region"
    addons = ", ".join(addon.name for addon in plan.addons)
    lines = (
        [f"Managed add-ons bring images of {registry}, as EKS chooses with their version: {addons}."] if addons else []
    )
    sections = {each.path for each in plan.providers}
    if any(image.digest is None and image.path[:1] in sections for image in images):
        lines.append(f"`neuron-cluster lock {named}` asks the registries for digests and pins them.")
    lines += [
        f"No registry has {build.chart}: `neuron-cluster images {named} --commands` prints what builds it from commit "
        f"{build.commit[:SHORT_COMMIT]} of {build.source} and pushes it into your ECR."
        for build in chart_builds(plan, catalog)
    ]
    if any(image.origin is Origin.PUBLIC and (image.mirror is None or image.is_copied) for image in images):
        lines.append(f"`neuron-cluster images {named} --commands` prints what copies them into your ECR.")
    return lines


def images_as_data(
    charts: Sequence[NeededChart], images: Sequence[NeededImage], plan: ClusterPlan, catalog: Catalog
) -> Mapping[str, Any]:
    """Returns the document of ``--format json``, with digests in full."""
    region = catalog.regions.get(plan.region)
    return {
        "environment": plan.name,
        "has_internet": plan.network.has_internet,
        "charts": [_data(chart) for chart in charts],
        "images": [_data(image) for image in images],
        "addons": [addon.name for addon in plan.addons],
        "eks_registry": region.eks_image_registry if region is not None else None,
    }


def _data(needed: NeededChart | NeededImage) -> dict[str, Any]:
    return {name: value for name, value in plain(needed).items() if name != "path"}


def _charts(charts: Sequence[NeededChart], plan: ClusterPlan, width: int) -> Table:
    title = f"{plan.name}: charts"
    if width < WIDE:
        rows = tuple(
            _narrow(f"{_place(chart)}:{chart.version}", chart.digest, chart.component, _chart_way(chart, plan))
            for chart in charts
        )
        return Table(title, NARROW, rows, BUNDLED_CHARTS)
    wide = tuple(
        (_place(chart), chart.version, chart.component, _chart_way(chart, plan), chart.digest or NOT_PINNED)
        for chart in charts
    )
    return Table(title, ("chart", "version", "needed by", "comes", "digest"), wide, BUNDLED_CHARTS)


def _images(images: Sequence[NeededImage], plan: ClusterPlan, width: int) -> Table:
    title = f"{plan.name}: images"
    if width < WIDE:
        rows = tuple(
            _narrow(image.reference, image.digest, ", ".join(image.needed_by), _image_way(image, plan))
            for image in images
        )
        return Table(title, NARROW, rows)
    wide = tuple(
        (
            image.reference,
            image.origin.value,
            ", ".join(image.needed_by),
            _image_way(image, plan),
            image.digest or NOT_PINNED,
        )
        for image in images
    )
    return Table(title, ("image", "registry", "needed by", "comes", "digest"), wide)


def _narrow(reference: str, digest: str | None, needed_by: str, way: str) -> tuple[str, str]:
    """Two columns, each with a second line."""
    pinned = f"\n  {digest[:SHORT_DIGEST]}" if digest is not None else ""
    return f"{reference}{pinned}", f"{needed_by}\n{way}"


def _place(chart: NeededChart) -> str:
    """With its name, which an OCI reference ends with."""
    return chart.reference if chart.reference.startswith(OCI) else f"{chart.reference}/{chart.chart}"


def _chart_way(chart: NeededChart, plan: ClusterPlan) -> str:
    return _way(chart, plan, in_reach=not chart.is_public)


def _image_way(image: NeededImage, plan: ClusterPlan) -> str:
    if image.origin is Origin.OTHER:
        return "as your network reaches it"
    return _way(image, plan, in_reach=_is_in_reach(image))


def _is_in_reach(image: NeededImage) -> bool:
    return image.origin in (Origin.REGIONAL, Origin.PRIVATE)


def _way(needed: NeededChart | NeededImage, plan: ClusterPlan, *, in_reach: bool) -> str:
    if needed.mirror is not None:
        return "from its copy" if needed.is_copied else "through the cache"
    if in_reach:
        return IN_REACH
    return "from the internet" if plan.network.has_internet else "not at all: copy it"
