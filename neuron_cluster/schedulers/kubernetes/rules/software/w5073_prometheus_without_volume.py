from __future__ import annotations

from local_kubernetes.model.chart_values import value_at
from neuron_cluster.rules.base import Rule, RuleContext, Violation, Violations
from neuron_cluster.schedulers.kubernetes.components import enabled_components
from neuron_cluster.schedulers.kubernetes.section import kubernetes_in

CHART, STORAGE = "kube-prometheus-stack", "prometheus.prometheusSpec.storageSpec"


class PrometheusWithoutVolume(Rule):
    """Prometheus stores its metrics on a volume (`eks.addons.ebs_csi_driver`).

    With the EBS CSI driver the toolkit gives Prometheus and Alertmanager EBS volumes. Only a warning: a cluster for
    some days may not need them.

    Without this check AWS reports no error. Metrics are in an emptyDir: each drain of the node, and so each update of
    its node group, deletes them.
    """

    id = "W5073"
    source = "https://github.com/prometheus-operator/prometheus-operator/blob/main/Documentation/platform/storage.md"
    proposes = ("ebs_csi_driver", "chart_values", "eks")

    def check(self, context: RuleContext) -> Violations:
        cluster = kubernetes_in(context.environment.config)
        enabled = enabled_components(context.environment, context.catalog)
        if cluster is None or "kube_prometheus_stack" not in enabled or "ebs_csi_driver" in enabled:
            return
        if value_at(cluster.section.chart_values.get(CHART, {}), STORAGE) is None:
            yield Violation(
                (*cluster.path, "addons", "ebs_csi_driver"),
                "ebs_csi_driver is false, so Prometheus loses its metrics with its pod",
                f"remove ebs_csi_driver; or set {STORAGE} in {cluster.key('chart_values')}.{CHART} for a driver of "
                "your own",
            )
