"""Values of the bundled chart ``neuron-monitor``, as its ``values.schema.json`` has them; a test compares the keys."""

from typing import Annotated, Literal

from msgspec import UNSET, Meta, UnsetType

from neuron_cluster.schedulers.kubernetes.software.values.closed_values import ClosedValues
from neuron_cluster.schedulers.kubernetes.software.values.pod_settings import (
    Digest,
    Enabled,
    ImageRepository,
    ImageTag,
    Quantity,
    TolerationValues,
)

Whole = Annotated[int, Meta(ge=0)]


class Image(ClosedValues, frozen=True, kw_only=True):
    repository: ImageRepository | UnsetType = UNSET
    tag: ImageTag | UnsetType = UNSET
    digest: Digest | UnsetType = UNSET
    pull_policy: Literal["Always", "IfNotPresent", "Never"] | UnsetType = UNSET


class Resources(ClosedValues, frozen=True, kw_only=True):
    """The resources of the pod on each node."""

    cpu: Quantity | UnsetType = UNSET
    memory_mib: Whole | UnsetType = UNSET


class PodMonitor(ClosedValues, frozen=True, kw_only=True):
    enabled: bool | UnsetType = UNSET
    interval: str | UnsetType = UNSET
    labels: dict[str, str] | UnsetType = UNSET


class Dashboard(ClosedValues, frozen=True, kw_only=True):
    enabled: bool | UnsetType = UNSET
    label: str | UnsetType = UNSET
    label_value: str | UnsetType = UNSET


class Alerts(ClosedValues, frozen=True, kw_only=True):
    """Limits beyond which an alert fires."""

    enabled: bool | UnsetType = UNSET
    labels: dict[str, str] | UnsetType = UNSET
    uncorrected_ecc_events: Whole | UnsetType = UNSET
    execution_errors: Whole | UnsetType = UNSET
    execution_latency_seconds: float | UnsetType = UNSET
    device_memory_percent: Whole | UnsetType = UNSET
    device_memory_gib_per_core: float | UnsetType = UNSET
    efa_unresponsive_remote_events: Whole | UnsetType = UNSET


class ServiceAccount(ClosedValues, frozen=True, kw_only=True):
    create: bool | UnsetType = UNSET
    name: str | UnsetType = UNSET
    annotations: dict[str, str] | UnsetType = UNSET


class NeuronMonitorValues(ClosedValues, frozen=True, kw_only=True):
    """``neuron-monitor``: nodes of types that are not listed get no pod."""

    image: Image | UnsetType = UNSET
    instance_types: tuple[str, ...] | UnsetType = UNSET
    tolerations: tuple[TolerationValues, ...] | UnsetType = UNSET
    resources: Resources | UnsetType = UNSET
    efa_counters: Enabled | UnsetType = UNSET
    host_network: bool | UnsetType = UNSET
    max_unavailable: str | UnsetType = UNSET
    pod_monitor: PodMonitor | UnsetType = UNSET
    dashboard: Dashboard | UnsetType = UNSET
    alerts: Alerts | UnsetType = UNSET
    service_account: ServiceAccount | UnsetType = UNSET
