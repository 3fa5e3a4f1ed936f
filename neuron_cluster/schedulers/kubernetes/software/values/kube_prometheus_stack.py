"""Values of the chart ``kube-prometheus-stack``: Prometheus, Alertmanager, Grafana and what they read from."""

from typing import Any

from msgspec import UNSET, UnsetType, field

from neuron_cluster.schedulers.kubernetes.software.values.closed_values import ClosedValues
from neuron_cluster.schedulers.kubernetes.software.values.pod_settings import (
    Account,
    Enabled,
    Pod,
    RegistryImage,
    Replicas,
    Resources,
)
from neuron_cluster.schedulers.kubernetes.software.values.prometheus_parts import (
    Alertmanager,
    Prometheus,
    PrometheusOperator,
)

OFF = Enabled(enabled=False)


class DefaultRules(ClosedValues, frozen=True, kw_only=True):
    """``defaultRules``: groups of alerts by name."""

    create: bool = True
    rules: dict[str, bool] | UnsetType = UNSET


RULES_OF_HIDDEN_PARTS = {
    "etcd": False,
    "kubeControllerManager": False,
    "kubeSchedulerAlerting": False,
    "kubeSchedulerRecording": False,
}
"""Alerts about parts of the control plane that a managed control plane does not expose: they would always fire."""


class GrafanaAdmin(ClosedValues, frozen=True, kw_only=True):
    """Where the administrator's password is. The chart otherwise creates another one with every upgrade."""

    existing_secret: str


class GrafanaPersistence(ClosedValues, frozen=True, kw_only=True):
    enabled: bool
    size: str | UnsetType = UNSET
    storage_class_name: str | UnsetType = UNSET


class DashboardSidecar(ClosedValues, frozen=True, kw_only=True):
    """Loads dashboards from ConfigMaps with the label."""

    enabled: bool = True
    label: str = "grafana_dashboard"
    label_value: str = "1"
    search_namespace: str = "ALL"


class GrafanaSidecar(ClosedValues, frozen=True, kw_only=True):
    dashboards: DashboardSidecar = DashboardSidecar()
    image: RegistryImage | UnsetType = UNSET
    resources: Resources | UnsetType = UNSET


class Grafana(Pod, frozen=True, kw_only=True):
    """``grafana``. Its test pod is off: it would need an image of its own."""

    enabled: bool = True
    default_dashboards_enabled: bool = True
    admin: GrafanaAdmin | UnsetType = UNSET
    image: RegistryImage | UnsetType = UNSET
    persistence: GrafanaPersistence | UnsetType = UNSET
    sidecar: GrafanaSidecar | UnsetType = UNSET
    service_account: Account | UnsetType = UNSET
    test_framework: Enabled = OFF


class Subchart(Pod, frozen=True, kw_only=True):
    """kube-state-metrics or the node exporter, at the key of their subcharts."""

    image: RegistryImage | UnsetType = UNSET


class NodeExporter(Subchart, frozen=True, kw_only=True):
    """In a namespace of its own: its pods read the host, which no other pod of the release needs."""

    namespace_override: str | UnsetType = UNSET


class CustomResourceState(ClosedValues, frozen=True, kw_only=True):
    """Metrics from fields of custom resources; ``config`` is that of kube-state-metrics."""

    enabled: bool
    config: dict[str, Any]


class StateMetricsRoles(ClosedValues, frozen=True, kw_only=True):
    """Rules of its ClusterRole in addition to the chart's."""

    extra_rules: tuple[dict[str, Any], ...]


class KubeStateMetrics(Subchart, frozen=True, kw_only=True):
    replicas: Replicas | UnsetType = UNSET
    custom_resource_state: CustomResourceState | UnsetType = UNSET
    rbac: StateMetricsRoles | UnsetType = UNSET


class KubePrometheusStackValues(ClosedValues, frozen=True, kw_only=True):
    """``kube-prometheus-stack``. etcd, scheduler and controller manager of a managed control plane cannot be read."""

    crds: Enabled = Enabled(enabled=True)
    default_rules: DefaultRules = DefaultRules(rules=RULES_OF_HIDDEN_PARTS)
    kube_etcd: Enabled = OFF
    kube_scheduler: Enabled = OFF
    kube_controller_manager: Enabled = OFF
    kube_proxy: Enabled = OFF
    windows_monitoring: Enabled = OFF
    prometheus: Prometheus = Prometheus()
    alertmanager: Alertmanager | UnsetType = UNSET
    prometheus_operator: PrometheusOperator | UnsetType = UNSET
    grafana: Grafana = Grafana()
    kube_state_metrics_switch: Enabled = field(default=Enabled(enabled=True), name="kubeStateMetrics")
    kube_state_metrics: KubeStateMetrics | UnsetType = field(default=UNSET, name="kube-state-metrics")
    node_exporter_switch: Enabled = field(default=Enabled(enabled=True), name="nodeExporter")
    node_exporter: NodeExporter | UnsetType = field(default=UNSET, name="prometheus-node-exporter")
