"""Prometheus, Alertmanager and their operator in the values of ``kube-prometheus-stack``."""

from typing import Annotated, Any, Literal

from msgspec import UNSET, Meta, UnsetType

from neuron_cluster.schedulers.kubernetes.software.values.closed_values import ClosedValues
from neuron_cluster.schedulers.kubernetes.software.values.pod_settings import (
    Pod,
    Quantity,
    RegistryImage,
    Replicas,
    Resources,
)

RetentionTime = Annotated[str, Meta(pattern=r"^[0-9]+(ms|s|m|h|d|w|y)$")]
RetentionSize = Annotated[str, Meta(pattern=r"^[0-9]+(B|KB|MB|GB|TB|KiB|MiB|GiB|TiB)$")]


class StorageRequest(ClosedValues, frozen=True, kw_only=True):
    storage: Quantity


class ClaimResources(ClosedValues, frozen=True, kw_only=True):
    requests: StorageRequest


class ClaimSpec(ClosedValues, frozen=True, kw_only=True):
    storage_class_name: str
    access_modes: tuple[Literal["ReadWriteOnce", "ReadWriteOncePod"], ...] = ("ReadWriteOnce",)
    resources: ClaimResources


class ClaimTemplate(ClosedValues, frozen=True, kw_only=True):
    spec: ClaimSpec


class StorageSpec(ClosedValues, frozen=True, kw_only=True):
    """A volume for each pod. Without one the metrics are gone with the pod."""

    volume_claim_template: ClaimTemplate


class PrometheusSpec(Pod, frozen=True, kw_only=True):
    """``prometheus.prometheusSpec``.

    The five ``…_selector_nil_uses_helm_values`` are false here: the chart's own true makes Prometheus see the
    monitors and rules of this release alone, and those of every other chart are ignored without a word.
    """

    service_monitor_selector_nil_uses_helm_values: bool = False
    pod_monitor_selector_nil_uses_helm_values: bool = False
    rule_selector_nil_uses_helm_values: bool = False
    probe_selector_nil_uses_helm_values: bool = False
    scrape_config_selector_nil_uses_helm_values: bool = False
    replicas: Replicas | UnsetType = UNSET
    retention: RetentionTime | UnsetType = UNSET
    retention_size: RetentionSize | UnsetType = UNSET
    storage_spec: StorageSpec | UnsetType = UNSET
    image: RegistryImage | UnsetType = UNSET
    priority_class_name: str | UnsetType = UNSET


class Prometheus(ClosedValues, frozen=True, kw_only=True):
    enabled: bool = True
    prometheus_spec: PrometheusSpec = PrometheusSpec()


class AlertmanagerSpec(Pod, frozen=True, kw_only=True):
    """``alertmanager.alertmanagerSpec``. Its volume is called ``storage``."""

    replicas: Replicas | UnsetType = UNSET
    storage: StorageSpec | UnsetType = UNSET
    image: RegistryImage | UnsetType = UNSET


class Alertmanager(ClosedValues, frozen=True, kw_only=True):
    enabled: bool = True
    config: dict[str, Any] | UnsetType = UNSET
    """The configuration of Alertmanager itself, merged with that of the chart."""
    alertmanager_spec: AlertmanagerSpec | UnsetType = UNSET


class ConfigReloader(ClosedValues, frozen=True, kw_only=True):
    """The container next to Prometheus and Alertmanager; the chart gives it no resources."""

    image: RegistryImage | UnsetType = UNSET
    resources: Resources | UnsetType = UNSET


class WebhookPatch(Pod, frozen=True, kw_only=True):
    """The jobs that make the certificate of the webhooks."""

    enabled: bool = True
    image: RegistryImage | UnsetType = UNSET


class AdmissionWebhooks(ClosedValues, frozen=True, kw_only=True):
    enabled: bool = True
    patch: WebhookPatch | UnsetType = UNSET


class PrometheusOperator(Pod, frozen=True, kw_only=True):
    """``prometheusOperator``."""

    image: RegistryImage | UnsetType = UNSET
    prometheus_config_reloader: ConfigReloader | UnsetType = UNSET
    admission_webhooks: AdmissionWebhooks | UnsetType = UNSET
