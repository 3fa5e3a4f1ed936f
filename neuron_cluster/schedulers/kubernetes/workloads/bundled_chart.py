"""The bundled charts: those of ``charts/`` that users install as workloads."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import yaml
from msgspec import Struct

from local_kubernetes.model.yaml_reader import yaml_document
from neuron_cluster.errors import InvalidEnvironment, ToolkitError
from neuron_cluster.protocol.schedulers import unknown_workload
from neuron_cluster.schedulers.kubernetes.workloads.recipe import Recipe
from neuron_cluster.schedulers.kubernetes.workloads.recipes import RECIPES

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
    if name not in RECIPES:
        raise InvalidEnvironment([unknown_workload(name, tuple(RECIPES), why_none(charts, name))])
    return _read(charts / name, RECIPES[name])


def why_none(charts: Path, name: str) -> str | None:
    """Why a chart of the toolkit is not a workload; None for a name without a chart."""
    if (charts / name / "Chart.yaml").is_file() and name:
        return f"{name} is a component of the cluster, not a workload: `addons` enables it"
    return None


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
