"""Values of the chart ``jobset``: groups of jobs that start, fail and restart together."""

from msgspec import UNSET, UnsetType

from neuron_cluster.schedulers.kubernetes.software.values.closed_values import ClosedValues
from neuron_cluster.schedulers.kubernetes.software.values.pod_settings import Enable, Enabled, Image, Pod, Replicas


class Controller(Pod, frozen=True, kw_only=True):
    """``controller``: the only pods."""

    replicas: Replicas | UnsetType = UNSET
    leader_election: Enable | UnsetType = UNSET
    pod_disruption_budget: Enabled | UnsetType = UNSET


class Prometheus(ClosedValues, frozen=True, kw_only=True):
    enable: bool
    prometheus_namespace: str | UnsetType = UNSET


class JobsetValues(ClosedValues, frozen=True, kw_only=True):
    """``jobset``. Without cert-manager it makes the certificate of its webhooks itself."""

    image: Image | UnsetType = UNSET
    controller: Controller | UnsetType = UNSET
    cert_manager: Enable = Enable(enable=False)
    prometheus: Prometheus = Prometheus(enable=False)
