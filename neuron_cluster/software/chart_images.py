"""Which container images a chart runs with the values that it gets."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from neuron_cluster.catalog.chart import Chart, ChartImage
from neuron_cluster.plan.addon_plan import ChartPlan


def chart_images(chart: ChartPlan, row: Chart, regional_registry: str | None) -> tuple[str, ...]:
    """Repository and tag of each, sorted. ``regional_registry`` is that of EKS in the Region, where it is known."""
    used = (image for image in row.images if _is_used(image, chart.values))
    return tuple(sorted(filter(None, (_reference(image, chart.values, regional_registry) for image in used))))


def _is_used(image: ChartImage, values: Mapping[str, Any]) -> bool:
    """All its switches are on, each by the values or else by the chart."""
    settings = ((_value(values, switch), default) for switch, default in image.switches.items())
    return all(default if setting is None else setting for setting, default in settings)


def _reference(image: ChartImage, values: Mapping[str, Any], regional_registry: str | None) -> str | None:
    """None for an image of the regional registry where that is not known."""
    tag = _value(values, f"{image.value_path}.tag") or image.tag
    repository = _value(values, f"{image.value_path}.repository")
    if image.registry == "eks_regional" and repository is None:
        return f"{regional_registry}/{image.repository}:{tag}" if regional_registry is not None else None
    return f"{_with_registry(image, repository, values)}:{tag}"


def _with_registry(image: ChartImage, repository: str | None, values: Mapping[str, Any]) -> str:
    """The repository with its host, which some charts keep at a key of its own."""
    if image.registry_path is None:
        return repository or image.repository
    host, _, path = image.repository.partition("/")
    return f"{_value(values, image.registry_path) or host}/{repository or path}"


def _value(values: Mapping[str, Any], path: str) -> Any:
    """The value at a dotted path; None where the values say nothing."""
    found: Any = values
    for part in path.split("."):
        found = found.get(part) if isinstance(found, Mapping) else None
    return found
