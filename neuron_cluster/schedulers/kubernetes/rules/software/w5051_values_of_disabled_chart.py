from __future__ import annotations

from local_kubernetes.model.hyperpod import HYPERPOD_TYPE
from neuron_cluster.findings.text import listed
from neuron_cluster.rules.base import Rule, RuleContext, Violation, Violations
from neuron_cluster.schedulers.kubernetes.components import enabled_components
from neuron_cluster.schedulers.kubernetes.node_group import node_groups
from neuron_cluster.schedulers.kubernetes.section import kubernetes_in
from neuron_cluster.schedulers.kubernetes.software.components.registry import (
    CHARTS,
    CHARTS_OF_GROUPS,
    TRAINING_OPERATOR_CHART,
)


class ValuesOfDisabledChart(Rule):
    """Chart values are for enabled charts (`eks.chart_values`).

    Without this check AWS reports no error. The values are checked but not used.
    """

    id = "W5051"
    source = "https://helm.sh/docs/chart_template_guide/values_files/"
    proposes = (
        "addons",
        "efa_device_plugin",
        "eks",
        "jobset",
        "kube_prometheus_stack",
        "kueue",
        "leader_worker_set",
        "neuron_device_plugin",
        "neuron_dra_driver",
        "neuron_node_problem_detector",
        "neuron_scheduler",
        "neuron_ultraserver_operator",
    )

    def check(self, context: RuleContext) -> Violations:
        cluster = kubernetes_in(context.environment.config)
        if cluster is None:
            return
        on = set(enabled_components(context.environment, context.catalog))
        for chart in cluster.section.chart_values:
            flags = [flag for flag, name in CHARTS.items() if name == chart]
            if flags and on.isdisjoint(flags):
                switches = [f"{cluster.key('addons')}.{flag}: true" for flag in flags]
                yield Violation(
                    (*cluster.path, "chart_values", chart),
                    f"{chart} is not enabled, so its values have no effect",
                    f"set {listed(switches, 'or')}, or remove the values",
                )
            if chart in CHARTS_OF_GROUPS.values() and (lack := _lack(chart, context)):
                yield Violation(
                    (*cluster.path, "chart_values", chart),
                    f"{chart} is installed for {lack}, so its values have no effect",
                    "remove the values",
                )


def _lack(chart: str, context: RuleContext) -> str:
    """States the purpose of the chart, and that the file does not have it; empty where it does."""
    groups = node_groups(context.environment)
    if chart == TRAINING_OPERATOR_CHART:
        has_resume = any(group.resumes_jobs for group in groups)
        return "" if has_resume else "hyperpod.job_auto_resume, which is not set"
    has_hyperpod = any(group.spec.instance_type.startswith(HYPERPOD_TYPE) for group in groups)
    return "" if has_hyperpod else "node groups of SageMaker HyperPod, and the file has none"
