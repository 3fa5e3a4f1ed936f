"""Which container images a chart runs with the values that it gets."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from neuron_cluster.catalog.chart import Chart, ChartImage
from neuron_cluster.plan.addon_plan import ChartPlan


def chart_images(chart: ChartPlan, row: Chart, regional_registry: str | None) -> tuple[str, ...]:
    """Repository and tag of each, sorted. ``regional_registry`` is that of EKS in the Region, where it is known."""
    used = (image for image in row.images if _is_used(image, row, chart.values))
    return tuple(sorted(filter(None, (_reference(image, chart.values, regional_registry) for image in used))))


def _is_used(image: ChartImage, row: Chart, values: Mapping[str, Any]) -> bool:
    """The nearest switch around the image decides; one further out that is off turns it off too."""
    parts = image.value_path.split(".")
    around = [".".join(parts[:length]) for length in range(len(parts) - 1, 0, -1)]
    switches = [f"{path}.enabled" for path in around if row.value_kind(f"{path}.enabled") is not None]
    settings = [_value(values, switch) for switch in switches]
    nearest = settings[0] if settings and settings[0] is not None else image.on_by_default
    return bool(nearest) and False not in settings


def _reference(image: ChartImage, values: Mapping[str, Any], regional_registry: str | None) -> str | None:
    """None for an image of the regional registry where that is not known."""
    tag = _value(values, f"{image.value_path}.tag") or image.tag
    if image.registry == "eks_regional":
        return f"{regional_registry}/{image.repository}:{tag}" if regional_registry is not None else None
    return f"{_value(values, f'{image.value_path}.repository') or image.repository}:{tag}"


def _value(values: Mapping[str, Any], path: str) -> Any:
    """The value at a dotted path; None where the values say nothing."""
    found: Any = values
    for part in path.split("."):
        found = found.get(part) if isinstance(found, Mapping) else None
    return found
