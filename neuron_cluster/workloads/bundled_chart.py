"""The bundled charts: those of ``charts/`` that users install as workloads."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import yaml
from msgspec import Struct

from neuron_cluster.errors import InvalidEnvironment, ToolkitError
from neuron_cluster.findings.finding import Finding, Location
from neuron_cluster.findings.suggestions import did_you_mean_one_of
from neuron_cluster.kubernetes.yaml_reader import yaml_document
from neuron_cluster.workloads.recipe import Recipe
from neuron_cluster.workloads.recipes import RECIPES

OF_TOOLKIT = "charts/ belongs to the toolkit: install it again"
POD_SECURITY_ANNOTATION = "neuron-cluster/pod-security"
"""In Chart.yaml: the Pod Security level that the chart's pods need, where it is not ``restricted``."""


class BundledChart(Struct, frozen=True):
    """One folder of ``charts/``, and what is known about filling in its values."""

    folder: Path
    description: str
    pod_security: str
    defaults: Mapping[str, Any]
    """values.yaml."""
    recipe: Recipe

    @property
    def name(self) -> str:
        return self.recipe.chart


def bundled_charts(charts: Path) -> tuple[BundledChart, ...]:
    """Every workload, by name. ``charts`` is their folder. Raises ``ToolkitError`` for one that is missing."""
    return tuple(_read(charts / name, recipe) for name, recipe in sorted(RECIPES.items()))


def bundled_chart(charts: Path, name: str) -> BundledChart:
    """The workload of this name. Raises ``InvalidEnvironment`` with finding E9201 for a name that is none."""
    require_bundled_chart(charts, name)
    return _read(charts / name, RECIPES[name])


def require_bundled_chart(charts: Path, name: str, jobs: Sequence[str] = ()) -> None:
    """Raises ``InvalidEnvironment`` with finding E9201 for a name that is none. ``jobs``: other workloads."""
    if name in RECIPES:
        return
    known = (*RECIPES, *jobs)
    suggested = did_you_mean_one_of(name, known)
    message = f'there is no workload "{name}"'
    if (charts / name / "Chart.yaml").is_file() and name:
        message = f"{name} is a component of the cluster, not a workload: `addons` enables it"
    raise InvalidEnvironment([Finding("E9201", Location(name), message, f"{suggested}workloads: {', '.join(known)}")])


def _read(folder: Path, recipe: Recipe) -> BundledChart:
    chart_file, defaults = _mapping(folder / "Chart.yaml"), _mapping(folder / "values.yaml")
    annotations = chart_file.get("annotations") or {}
    level = str(annotations.get(POD_SECURITY_ANNOTATION, "restricted"))
    return BundledChart(folder, str(chart_file.get("description", "")), level, defaults, recipe)


def _mapping(path: Path) -> Mapping[str, Any]:
    try:
        read = yaml_document(path.read_text(encoding="utf-8"))
    except (OSError, yaml.YAMLError) as error:
        raise ToolkitError(f"{path} cannot be read: {error}", hint=OF_TOOLKIT) from error
    if not isinstance(read, Mapping):
        raise ToolkitError(f"{path} is not a mapping", hint=OF_TOOLKIT)
    return read
