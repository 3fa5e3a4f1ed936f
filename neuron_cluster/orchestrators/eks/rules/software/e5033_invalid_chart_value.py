"""Values that a chart would ignore or misread."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from neuron_cluster.findings.suggestions import did_you_mean, suggestions
from neuron_cluster.findings.text import listed, on_one_line, quoted
from neuron_cluster.orchestrators.eks.config.cluster import Eks
from neuron_cluster.rules.base import ConfigRule, Violation
from neuron_cluster.software.components.registry import BUNDLED_CHARTS, CHARTS
from neuron_cluster.software.values.invalid_value import invalid_bundled_values, invalid_values

if TYPE_CHECKING:
    from neuron_cluster.catalog.catalog import Catalog
    from neuron_cluster.resolved.environment import ResolvedEnvironment


class InvalidChartValue(ConfigRule):
    """What stands in chart_values is for a chart that the toolkit installs, and of keys and kinds that this chart has.

    A key is one of the pinned version's; a text in quotes is neither a boolean nor a number; nothing is null. Charts
    that answer for others keep a pod, a tag is none that moves, resources are named as Kubernetes does, and Kueue can
    read its configuration.

    Without this check helm answers nothing. A misspelt key is ignored, the text "false" counts as true, and null takes
    the chart's default away; the release is deployed, and differs from what was meant.
    """

    id = "E5033"
    source = "https://helm.sh/docs/chart_template_guide/values_files/; the chart's own values.yaml: catalog/data/charts"

    def check(self, environment: ResolvedEnvironment, catalog: Catalog) -> Iterator[Violation]:
        eks = environment.config.section(Eks)
        if eks is None:
            return
        installable = sorted({*CHARTS.values(), *BUNDLED_CHARTS.values()})
        for name, values in eks.chart_values.items():
            path = ("eks", "chart_values", name)
            if name not in installable:
                hint = f"{did_you_mean(suggestions(name, installable))}charts are {listed(installable)}"
                yield Violation(path, f"{quoted(name)} is not a chart that a flag of eks.addons installs", hint)
                continue
            chart = catalog.chart(name)
            for invalid in invalid_values(chart, values) if chart is not None else invalid_bundled_values(name, values):
                version = f"{chart.name} {chart.version}" if chart is not None else f"charts/{name}"
                remedy = f"{invalid.remedy}; " if invalid.remedy and not invalid.near else ""
                hint = f"{did_you_mean(invalid.near)}{remedy}keys and kinds are those of {version}"
                yield Violation(
                    (*path, *invalid.path.split(".")), on_one_line(f"{invalid.path}: {invalid.reason}"), hint
                )
