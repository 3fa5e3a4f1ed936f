from __future__ import annotations

from local_kubernetes.model.chart_values import value_at
from neuron_cluster.rules.base import Rule, RuleContext, Violation, Violations
from neuron_cluster.schedulers.kubernetes.section import kubernetes_in
from neuron_cluster.schedulers.kubernetes.software.components.registry import flag_values


class ReservedChartValue(Rule):
    """Chart values do not set keys that eks.addons or the toolkit set (`eks.chart_values`).

    Add-on flags enable and disable parts of charts. IAM roles, queues and other charts of the toolkit depend on the
    names of objects, service accounts with IAM roles, the cluster name and custom resource definitions.

    Without this check AWS reports no error. The Neuron chart has two releases, and both would get the value: with the
    DRA driver, a release removes the device plugin and the detector without an error, and nodes have both ways to
    allocate devices, or none. A controller with another service account has no IAM role, and one with another cluster
    name finds no resources of this cluster; without its custom resource definitions the next release fails, and the
    software stack rolls back.
    """

    id = "E5034"
    source = "https://github.com/aws-neuron/neuron-helm-charts (charts/neuron-helm-chart/templates, 1.9.0)"
    proposes = ("addons", "eks", "jobset", "neuron_device_plugin", "neuron_dra_driver", "neuron_node_problem_detector")

    def check(self, context: RuleContext) -> Violations:
        cluster = kubernetes_in(context.environment.config)
        if cluster is None:
            return
        for chart, values in cluster.section.chart_values.items():
            row = context.catalog.charts.get(chart)
            for path, depending in row.own_values.items() if row is not None else ():
                if value_at(values, path) is not None:
                    yield Violation(
                        (*cluster.path, "chart_values", chart, *path.split(".")),
                        f"{path} of {chart} is reserved for the toolkit, because of {depending}",
                        "remove the line",
                    )
            for path, flag in flag_values(chart).items():
                given = value_at(values, path)
                if given is not None:
                    yield Violation(
                        (*cluster.path, "chart_values", chart, *path.split(".")),
                        f"{path} of {chart} is set by {cluster.key('addons')}.{flag}",
                        f"remove the line, and set {cluster.key('addons')}.{flag}: {str(given is True).lower()}",
                    )
