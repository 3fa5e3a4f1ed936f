from __future__ import annotations

from local_kubernetes.model.chart_values import value_at
from neuron_cluster.findings.text import listed
from neuron_cluster.resolved.compute_group import ClusterGroup
from neuron_cluster.rules.base import Rule, RuleContext, Violation, Violations
from neuron_cluster.schedulers.kubernetes.components import enabled_components
from neuron_cluster.schedulers.kubernetes.node_group import node_groups
from neuron_cluster.schedulers.kubernetes.section import kubernetes_in
from neuron_cluster.schedulers.kubernetes.software.components.registry import (
    BUNDLED_CHARTS,
    CHARTS,
    EFA_CHART,
    MONITOR_CHART,
    NEURON_CHART,
)

LISTS = {
    NEURON_CHART: "neuronInstances",
    EFA_CHART: "supportedInstanceLabels.values",
    MONITOR_CHART: "instanceTypes",
}
"""The value of each chart that lists the types on whose nodes its plugin or monitor runs."""


class InstanceTypeNotInPluginList(Rule):
    """The instance type list of a device plugin contains the types of its node groups (`eks.chart_values`).

    The charts run their plugins, and neuron-monitor, only on listed instance types. The toolkit adds missing types of
    the file to the chart's default; a list in chart_values replaces both.

    Without this check AWS reports no error. The DaemonSet has 0 desired pods, without any event; pods that request the
    device remain Pending, and collectives that do not request it run over TCP.
    """

    id = "E5006"
    source = (
        "aws-neuron/neuron-helm-charts: charts/neuron-helm-chart/values.yaml (neuronInstances); "
        "https://github.com/aws/eks-charts/blob/master/stable/aws-efa-k8s-device-plugin/values.yaml"
    )
    references = (
        "aws/eks-charts#1183",
        "aws/eks-charts#1348",
        "aws/eks-charts#1358",
        "aws/sagemaker-hyperpod-cli#444",
        "aws-samples/aws-do-eks#56",
        "eksctl-io/eksctl#2329",
        "eksctl-io/eksctl#5090",
        "eksctl-io/eksctl#8089",
    )

    def check(self, context: RuleContext) -> Violations:
        environment = context.environment
        cluster = kubernetes_in(environment.config)
        if cluster is None:
            return
        source_of = {**CHARTS, **BUNDLED_CHARTS}
        installed = {source_of[flag] for flag in enabled_components(environment, context.catalog) if flag in source_of}
        for chart, path in LISTS.items():
            types = value_at(cluster.section.chart_values.get(chart, {}), path)
            if chart not in installed or not isinstance(types, list):
                continue
            missing = dict.fromkeys(
                group.spec.instance_type for group in node_groups(environment) if _has_device(group, chart)
            )
            if left_out := [name for name in missing if name not in types]:
                yield Violation(
                    (*cluster.path, "chart_values", chart, *path.split(".")),
                    f"the list does not contain {listed(left_out)}, so {chart} would not run on its nodes",
                    f"add {listed(left_out)}, or remove the list: the toolkit adds missing types to the chart's "
                    "default",
                )


def _has_device(node_group: ClusterGroup, chart: str) -> bool:
    return node_group.has_efa if chart == EFA_CHART else node_group.is_neuron
