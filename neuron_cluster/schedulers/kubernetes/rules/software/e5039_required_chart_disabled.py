from __future__ import annotations

from neuron_cluster.rules.base import Rule, RuleContext, Violation, Violations
from neuron_cluster.schedulers.kubernetes.components import defaults_context, enabled_components
from neuron_cluster.schedulers.kubernetes.section import kubernetes_in
from neuron_cluster.schedulers.kubernetes.software.components.registry import CHARTS
from neuron_cluster.schedulers.kubernetes.software.defaults_context import charts_that_need

NEEDED = ("cert_manager", "kube_prometheus_stack")
"""Flags whose charts have custom resource definitions that other charts use, depending on their values."""


class RequiredChartDisabled(Rule):
    """A chart that the values of another chart require is enabled (`eks.addons`).

    Certificates require cert-manager, Prometheus monitors require kube-prometheus-stack. cert_manager is enabled by
    default when chart_values require it.

    Without this check helm fails with "no matches for kind", and the software stack rolls back.
    """

    id = "E5039"
    source = "https://helm.sh/docs/chart_best_practices/custom_resource_definitions/; needs: catalog/data/charts"
    proposes = ("addons", "cert_manager", "eks", "kube_prometheus_stack")

    def check(self, context: RuleContext) -> Violations:
        cluster = kubernetes_in(context.environment.config)
        on = enabled_components(context.environment, context.catalog)
        installed = {CHARTS[flag] for flag in on if flag in CHARTS}
        for flag in NEEDED:
            if cluster is None or flag in on:
                continue
            for chart, path in charts_that_need(CHARTS[flag], defaults_context(context.environment), context.catalog):
                if chart in installed:
                    yield Violation(
                        (*cluster.path, "chart_values", chart, *path.split(".")),
                        f"with {path}, {chart} creates objects of kinds that {CHARTS[flag]} defines, but {flag} is "
                        "disabled",
                        f"set {cluster.key('addons')}.{flag}: true, or remove the value",
                    )
