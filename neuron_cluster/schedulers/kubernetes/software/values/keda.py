"""Values of the chart ``keda``: scales workloads by queues and metrics."""

from msgspec import UNSET, UnsetType

from neuron_cluster.schedulers.kubernetes.software.values.closed_values import ClosedValues
from neuron_cluster.schedulers.kubernetes.software.values.pod_settings import (
    Account,
    Enabled,
    RegistryImage,
    Replicas,
    Resources,
    TolerationValues,
)


class Images(ClosedValues, frozen=True, kw_only=True):
    """``image``: one for each part."""

    keda: RegistryImage | UnsetType = UNSET
    metrics_api_server: RegistryImage | UnsetType = UNSET
    webhooks: RegistryImage | UnsetType = UNSET


class Crds(ClosedValues, frozen=True, kw_only=True):
    install: bool


class Part(ClosedValues, frozen=True, kw_only=True):
    """The pods of one part."""

    replica_count: Replicas | UnsetType = UNSET
    node_selector: dict[str, str] | UnsetType = UNSET
    tolerations: tuple[TolerationValues, ...] | UnsetType = UNSET


class OptionalPart(Part, frozen=True, kw_only=True):
    """A part that can be left out. Without the metrics server nothing scales above one pod."""

    enabled: bool = True


class PartResources(ClosedValues, frozen=True, kw_only=True):
    """``resources``: here the metrics server is called ``metricServer``."""

    operator: Resources | UnsetType = UNSET
    metric_server: Resources | UnsetType = UNSET
    webhooks: Resources | UnsetType = UNSET


class Accounts(ClosedValues, frozen=True, kw_only=True):
    """``serviceAccount``."""

    operator: Account | UnsetType = UNSET
    metric_server: Account | UnsetType = UNSET
    webhooks: Account | UnsetType = UNSET


class OperatorMetrics(ClosedValues, frozen=True, kw_only=True):
    enabled: bool
    service_monitor: Enabled | UnsetType = UNSET


class Prometheus(ClosedValues, frozen=True, kw_only=True):
    """``prometheus``: metrics about KEDA itself."""

    operator: OperatorMetrics | UnsetType = UNSET


class KedaValues(ClosedValues, frozen=True, kw_only=True):
    """``keda``. An empty ``watch_namespace`` means all namespaces."""

    crds: Crds = Crds(install=True)
    watch_namespace: str = ""
    cluster_name: str | UnsetType = UNSET
    image: Images | UnsetType = UNSET
    operator: Part | UnsetType = UNSET
    metrics_server: OptionalPart | UnsetType = UNSET
    webhooks: OptionalPart | UnsetType = UNSET
    resources: PartResources | UnsetType = UNSET
    service_account: Accounts | UnsetType = UNSET
    priority_class_name: str | UnsetType = UNSET
    node_selector: dict[str, str] | UnsetType = UNSET
    tolerations: tuple[TolerationValues, ...] | UnsetType = UNSET
    prometheus: Prometheus | UnsetType = UNSET
