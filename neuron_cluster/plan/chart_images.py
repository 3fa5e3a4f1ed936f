"""Which container images a chart runs with its values."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from local_kubernetes.model.chart_values import value_at
from local_kubernetes.model.image_reference import image_reference
from neuron_cluster.catalog.catalog import Catalog
from neuron_cluster.catalog.chart import Chart, ChartImage
from neuron_cluster.plan.addon_plan import ChartPlan

BUNDLED_IMAGE = "image"
"""The key at which every bundled chart has its image, as ``repository``, ``tag`` and ``digest``."""


def bundled_chart_image(chart: ChartPlan, catalog: Catalog) -> tuple[str, str] | None:
    """Repository (with its host) and ``:tag`` or ``@digest``; None where neither values nor catalog name one.

    A chart that replaces a published manifest runs the image of the manifest.
    """
    manifest = next((row for row in catalog.manifests if row.chart == chart.chart), None)
    repository, _, tag = manifest.image.rpartition(":") if manifest is not None else ("", "", "")
    given = chart.values.get(BUNDLED_IMAGE)
    values: Mapping[str, str] = given if isinstance(given, Mapping) else {}
    repository, tag = values.get("repository") or repository, values.get("tag") or tag
    digest = values.get("digest")
    if not repository or not (tag or digest):
        return None
    return repository, f"@{digest}" if digest else f":{tag}"


def images_of_chart(chart: ChartPlan, catalog: Catalog, regional_registry: str | None) -> tuple[str, ...]:
    """Returns the images of the chart with its values, bundled charts included."""
    row = catalog.charts.get(chart.chart)
    if row is not None:
        return chart_images(chart, row, regional_registry)
    bundled = bundled_chart_image(chart, catalog)
    return ("".join(bundled),) if bundled is not None else ()


def chart_images(chart: ChartPlan, row: Chart, regional_registry: str | None) -> tuple[str, ...]:
    """Repository and tag of each, sorted. ``regional_registry`` is that of AWS in the Region, where it is known."""
    return tuple(sorted(reference for _, reference in image_references(chart, row, regional_registry)))


def image_references(chart: ChartPlan, row: Chart, regional_registry: str | None) -> tuple[tuple[ChartImage, str], ...]:
    """Each image that the chart runs, with its repository and tag; none of an unknown regional registry."""
    used = (image for image in row.images if _is_used(image, chart.values))
    found = ((image, _reference(image, chart.values, regional_registry)) for image in used)
    return tuple((image, reference) for image, reference in found if reference is not None)


def chart_repositories(chart: ChartPlan, row: Chart) -> tuple[tuple[ChartImage, str], ...]:
    """Each image that the chart runs, with the repository it comes from; none of the regional registry."""
    found = ((image, _repository(image, chart.values)) for image in row.images if _is_used(image, chart.values))
    return tuple((image, repository) for image, repository in found if repository is not None)


def image_of_values(image: ChartImage, values: Mapping[str, Any]) -> tuple[str, str]:
    """Repository and tag that values of a chart choose; what they leave out is the chart's own."""
    if image.is_whole:
        repository, tag = _parts(value_at(values, image.value_path))
        return repository or image.repository, tag or image.tag
    tag = value_at(values, f"{image.value_path}.tag") or image.tag
    return _repository(image, values) or image.repository, str(tag)


def _is_used(image: ChartImage, values: Mapping[str, Any]) -> bool:
    """All its flags are true, each by the values or else by the chart."""
    given = ((value_at(values, flag), default) for flag, default in image.switches.items())
    return all(default if value is None else value for value, default in given)


def _reference(image: ChartImage, values: Mapping[str, Any], regional_registry: str | None) -> str | None:
    """None for an image of the regional registry where that is not known."""
    if image.is_whole:
        return value_at(values, image.value_path) or None
    tag = value_at(values, f"{image.value_path}.tag") or image.tag
    repository = _repository(image, values)
    if repository is None:
        return f"{regional_registry}/{image.repository}:{tag}" if regional_registry is not None else None
    return f"{repository}:{tag}"


def _repository(image: ChartImage, values: Mapping[str, Any]) -> str | None:
    """With its host; None for an image of the regional registry."""
    if image.is_whole:
        return _parts(value_at(values, image.value_path))[0] or None
    repository = value_at(values, f"{image.value_path}.repository")
    return (
        None if image.registry == "eks_regional" and repository is None else _with_registry(image, repository, values)
    )


def _parts(reference: Any) -> tuple[str, str]:
    """Repository and tag of an image in one text, of which each may be empty."""
    if not isinstance(reference, str):
        return "", ""
    found = image_reference(reference)
    return found.repository, found.tag or ""


def _with_registry(image: ChartImage, repository: str | None, values: Mapping[str, Any]) -> str:
    """The repository with its host, which some charts keep at a key of its own."""
    if image.registry_path is None:
        return repository or image.repository
    host, _, path = image.repository.partition("/")
    return f"{value_at(values, image.registry_path) or host}/{repository or path}"
