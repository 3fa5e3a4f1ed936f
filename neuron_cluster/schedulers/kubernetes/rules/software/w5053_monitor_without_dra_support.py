from __future__ import annotations

from neuron_cluster.config.observability import MetricsStore, Observability
from neuron_cluster.findings.text import listed
from neuron_cluster.rules.base import Rule, RuleContext, Violation, Violations
from neuron_cluster.schedulers.kubernetes.components import enabled_components
from neuron_cluster.schedulers.kubernetes.listed_types import types_without_cloudwatch
from neuron_cluster.schedulers.kubernetes.section import KubernetesInFile, kubernetes_in

BLIND = {
    "neuron_monitor": "neuron-monitor does not support devices that the DRA driver allocates",
}


class MonitorWithoutDraSupport(Rule):
    """Software that measures Neuron devices supports the DRA driver (`eks.addons.neuron_dra_driver`).

    neuron-monitor does not support devices of the DRA driver.

    Without this check AWS reports no error. Per-core metrics are missing.
    """

    id = "W5053"
    source = "aws-neuron/aws-neuron-sdk: deploy/infrastructure/monitoring.rst @81ce03a"
    proposes = ("addons", "cloudwatch", "eks", "metrics", "neuron_dra_driver", "neuron_monitor", "observability")

    def check(self, context: RuleContext) -> Violations:
        environment, catalog = context.environment, context.catalog
        cluster = kubernetes_in(environment.config)
        if cluster is None or not cluster.flag("neuron_dra_driver"):
            return
        on = enabled_components(environment, catalog)
        observability, lacking = environment.config.observability, types_without_cloudwatch(environment, catalog)
        for flag, reason in BLIND.items():
            if flag in on:
                yield Violation(
                    (*cluster.path, "addons", "neuron_dra_driver"),
                    f"neuron_dra_driver is true, and {reason}",
                    f"{_plugin(cluster)}{_without(flag, observability, lacking, cluster.key('addons'))}",
                )


def _plugin(cluster: KubernetesInFile) -> str:
    """The operator of UltraServers requires the driver (E5037)."""
    return (
        "" if cluster.flag("neuron_ultraserver_operator") else "remove neuron_dra_driver to use the device plugin, or "
    )


def _without(flag: str, observability: Observability | None, lacking: list[str], addons: str) -> str:
    """Metrics in Prometheus require the flag (E5060); those in CloudWatch no type of ``lacking`` (E5040)."""
    if observability is not None and observability.metrics is MetricsStore.PROMETHEUS:
        if lacking:
            neither = f"CloudWatch does not support {listed(lacking)} either"
            return f"remove observability and leave {flag} out of {addons}: {neither}"
        return f"write observability.metrics: cloudwatch and leave {flag} out of {addons}"
    return f"set {addons}.{flag}: false"
