from __future__ import annotations

from neuron_cluster.providers.eks.config.cluster import Eks
from neuron_cluster.rules.base import Rule, RuleContext, Violation, Violations


class ObservabilityWithoutCluster(Rule):
    """Observability requires an EKS cluster (`observability`).

    Without this check AWS reports no error. The metrics come from software of the cluster; dashboards and alarms would
    refer to a cluster that does not exist.
    """

    id = "E5061"
    source = (
        "https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/Container-Insights-metrics-enhanced-EKS.html"
    )
    proposes = ("eks", "observability")

    def check(self, context: RuleContext) -> Violations:
        config = context.environment.config
        eks = config.section(Eks)
        if config.observability is not None and eks is None:
            yield Violation(
                ("observability",),
                "observability is set, but this environment has no EKS cluster with metrics",
                "add eks, or remove observability",
            )
