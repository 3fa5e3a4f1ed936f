from __future__ import annotations

from local_kubernetes.model.chart_values import value_at
from neuron_cluster.template_rules.base import TemplateContext, TemplateRule, Violation, Violations
from neuron_cluster.template_rules.eks.kubernetes_objects import charts, comes_after, values_of
from neuron_cluster.template_rules.property_tree import text


class ChartBeforeRequiredChart(TemplateRule):
    """A Helm release depends on the releases of the charts that it requires (`DependsOn`).

    Helm returns "no matches for kind", and the stack rolls back.
    """

    id = "E8239"
    operation = "helm upgrade"
    error_code = None
    source = "needs of the charts: catalog/data/charts"
    types = ("Custom::AWSCDK-EKS-HelmChart",)

    def check(self, context: TemplateContext) -> Violations:
        resource, look_up = context.resource, context.look_up
        chart = context.catalog.charts.get(text(resource.properties.get("Chart")) or "")
        values = values_of(resource)
        for need in chart.needs if chart is not None else ():
            if need.when is not None and value_at(values, need.when) is not True:
                continue
            for other in charts(resource.stack, look_up):
                if text(other.properties.get("Chart")) == need.chart and not comes_after(resource, other, look_up):
                    yield Violation(
                        "Chart",
                        f"requires {need.chart} ({need.because}), but does not depend on its release",
                        f"add {other.logical_id} to DependsOn",
                    )
