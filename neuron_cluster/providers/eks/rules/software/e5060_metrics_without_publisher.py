from __future__ import annotations

from neuron_cluster.findings.text import listed
from neuron_cluster.providers.eks.config.cluster import Eks
from neuron_cluster.rules.base import Rule, RuleContext, Violation, Violations
from neuron_cluster.schedulers.kubernetes.components import enabled_components
from neuron_cluster.schedulers.kubernetes.listed_types import types_without_cloudwatch

PUBLISHERS = {
    "cloudwatch": ("cloudwatch_observability",),
    "prometheus": ("neuron_monitor", "kube_prometheus_stack"),
}
"""Flags of ``eks.addons`` that must be on, by ``observability.metrics``."""


class MetricsWithoutPublisher(Rule):
    """The software that publishes the metrics is enabled (`observability.metrics`).

    With cloudwatch this is the CloudWatch observability add-on, which includes an agent and a neuron-monitor; with
    prometheus the neuron-monitor chart of the toolkit and kube-prometheus-stack.

    Without this check AWS reports no error. Dashboards stay empty, and alarms stay OK, because alarms without data do
    not notify.
    """

    id = "E5060"
    source = (
        "https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/Container-Insights-metrics-enhanced-EKS.html; "
        "aws-neuron/aws-neuron-sdk: deploy/infrastructure/monitoring.rst"
    )
    proposes = (
        "addons",
        "cloudwatch",
        "cloudwatch_observability",
        "eks",
        "kube_prometheus_stack",
        "metrics",
        "neuron_monitor",
        "observability",
        "prometheus",
    )
    references = ("aws-neuron/aws-neuron-sdk#793",)

    def check(self, context: RuleContext) -> Violations:
        environment, catalog = context.environment, context.catalog
        config = environment.config
        eks = config.section(Eks)
        if config.observability is None or eks is None:
            return
        on = enabled_components(environment, catalog)
        store = config.observability.metrics.value
        for flag in PUBLISHERS[store]:
            if flag not in on:
                yield Violation(
                    ("observability", "metrics"),
                    f"metrics is {store}, but {flag}, which publishes them, is not enabled",
                    f"{_publisher(flag, eks, types_without_cloudwatch(environment, catalog))}, or remove observability",
                )


def _publisher(flag: str, eks: Eks, without_cloudwatch: list[str]) -> str:
    """The CloudWatch add-on does not read every type (E5040), the neuron-monitor no devices of DRA (W5053)."""
    enable = f"remove eks.addons.{flag} or make it true"
    if flag == "cloudwatch_observability" and without_cloudwatch:
        return f"set metrics: prometheus: the add-on of CloudWatch does not support {listed(without_cloudwatch)}"
    if flag == "neuron_monitor" and eks.addons.neuron_dra_driver and not without_cloudwatch:
        return f"set metrics: cloudwatch and remove eks.addons.{flag}, or {enable}"
    return enable
