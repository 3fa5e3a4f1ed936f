from __future__ import annotations

from neuron_cluster.findings.suggestions import did_you_mean, did_you_mean_one_of
from neuron_cluster.findings.text import listed, on_one_line, quoted
from neuron_cluster.rules.base import Rule, RuleContext, Violation, Violations
from neuron_cluster.schedulers.kubernetes.section import kubernetes_in
from neuron_cluster.schedulers.kubernetes.software.components.registry import (
    BUNDLED_CHARTS,
    CHARTS,
    CHARTS_OF_GROUPS,
)
from neuron_cluster.schedulers.kubernetes.software.values.invalid_value import invalid_bundled_values, invalid_values


class InvalidChartValue(Rule):
    """Chart values are for an installed chart and match its keys and types (`eks.chart_values`).

    Keys are those of the pinned version; a quoted text is not a boolean or a number; null is not allowed. Charts whose
    services receive requests keep at least one replica, image tags are fixed, names are valid for Kubernetes, and
    Kueue can read its configuration.

    Without this check helm reports no error. A misspelt key is ignored, the text "false" counts as true, and null
    removes the chart's default; the release is deployed, and differs from what was intended.
    """

    id = "E5033"
    source = "https://helm.sh/docs/chart_template_guide/values_files/; the chart's own values.yaml: catalog/data/charts"

    def check(self, context: RuleContext) -> Violations:
        cluster = kubernetes_in(context.environment.config)
        if cluster is None:
            return
        installable = sorted({*CHARTS.values(), *CHARTS_OF_GROUPS.values(), *BUNDLED_CHARTS.values()})
        for name, values in cluster.section.chart_values.items():
            path = (*cluster.path, "chart_values", name)
            if name not in installable:
                hint = f"{did_you_mean_one_of(name, installable)}charts are {listed(installable)}"
                yield Violation(
                    path, f"{quoted(name)} is not a chart that a flag of {cluster.key('addons')} installs", hint
                )
                continue
            chart = context.catalog.charts.get(name)
            for invalid in invalid_values(chart, values) if chart is not None else invalid_bundled_values(name, values):
                version = f"{chart.name} {chart.version}" if chart is not None else f"charts/{name}"
                remedy = f"{invalid.remedy}; " if invalid.remedy and not invalid.near else ""
                hint = f"{did_you_mean(invalid.near)}{remedy}keys and types are those of {version}"
                yield Violation(
                    (*path, *invalid.path.split(".")), on_one_line(f"{invalid.path}: {invalid.reason}"), hint
                )
