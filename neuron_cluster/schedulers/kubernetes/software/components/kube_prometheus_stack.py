"""Prometheus, Alertmanager and Grafana inside the cluster."""

from __future__ import annotations

from msgspec import UNSET

from neuron_cluster.plan.addon_plan import NamespacePlan
from neuron_cluster.plan.namespace_plan import pod_security_labels
from neuron_cluster.schedulers.kubernetes.software.alert_receiver import publisher_role, sns_configuration
from neuron_cluster.schedulers.kubernetes.software.component import Component, Release
from neuron_cluster.schedulers.kubernetes.software.component_context import ComponentContext
from neuron_cluster.schedulers.kubernetes.software.prometheus_volumes import (
    ALERTMANAGER_GIB,
    PROMETHEUS_GIB,
    RETENTION,
    RETENTION_SIZE,
    has_volumes,
    storage_class,
    volume,
)
from neuron_cluster.schedulers.kubernetes.software.team_monitors import team_monitors
from neuron_cluster.schedulers.kubernetes.software.values.kube_prometheus_stack import (
    KubePrometheusStackValues,
    KubeStateMetrics,
    NodeExporter,
)
from neuron_cluster.schedulers.kubernetes.software.values.prometheus_parts import (
    Alertmanager,
    AlertmanagerSpec,
    Prometheus,
    PrometheusSpec,
)
from neuron_cluster.schedulers.kubernetes.software.workload_alerts import job_set_metrics, workload_alerts

CHART = "kube-prometheus-stack"


def component(context: ComponentContext) -> Component:
    """The node exporter reads the host's own files and network: it alone, in a namespace that allows that."""
    row = context.catalog.charts.get(CHART)
    if row is None:  # the tests of the catalog hold its rows
        raise LookupError(f"the catalog has no chart {CHART}")
    (home,) = row.further_namespaces
    labels = pod_security_labels("privileged", context.kubernetes_version)
    topic = context.alert_topic
    release = Release(
        chart=CHART,
        values=_values(context, home).as_values(),
        namespaces=(NamespacePlan(home, labels),),
        pod_roles=(publisher_role(topic),) if topic is not None else (),
    )
    classes = (storage_class(context),) if has_volumes(context) else ()
    return Component(releases=(release,), manifests=(*classes, workload_alerts(context), *team_monitors(context)))


def _values(context: ComponentContext, node_exporter_namespace: str) -> KubePrometheusStackValues:
    return KubePrometheusStackValues(
        prometheus=Prometheus(prometheus_spec=_prometheus(context)),
        alertmanager=_alertmanager(context),
        kube_state_metrics=KubeStateMetrics.read(job_set_metrics()) if context.has("jobset") else UNSET,
        node_exporter=NodeExporter(namespace_override=node_exporter_namespace),
    )


def _prometheus(context: ComponentContext) -> PrometheusSpec:
    if not has_volumes(context):
        return PrometheusSpec()
    return PrometheusSpec(retention=RETENTION, retention_size=RETENTION_SIZE, storage_spec=volume(PROMETHEUS_GIB))


def _alertmanager(context: ComponentContext) -> Alertmanager:
    return Alertmanager(
        config=sns_configuration(context.alert_topic) if context.alert_topic is not None else UNSET,
        alertmanager_spec=AlertmanagerSpec(storage=volume(ALERTMANAGER_GIB)) if has_volumes(context) else UNSET,
    )
