"""Values of the chart ``cert-manager``: certificates for webhooks and endpoints."""

from msgspec import UNSET, UnsetType, field

from neuron_cluster.schedulers.kubernetes.software.values.closed_values import ClosedValues
from neuron_cluster.schedulers.kubernetes.software.values.pod_settings import (
    Account,
    Digest,
    Enabled,
    Image,
    Pod,
    Replicas,
)


class DigestImage(Image, frozen=True, kw_only=True):
    """An image that can be named by digest in addition to the tag."""

    digest: Digest | UnsetType = UNSET


class Crds(ClosedValues, frozen=True, kw_only=True):
    """``crds``: off by default in the chart. ``keep``: they and all certificates outlive the release."""

    enabled: bool = True
    keep: bool = True


class Global(ClosedValues, frozen=True, kw_only=True):
    priority_class_name: str | UnsetType = UNSET


class Prometheus(ClosedValues, frozen=True, kw_only=True):
    enabled: bool
    servicemonitor: Enabled | UnsetType = UNSET


class Part(Pod, frozen=True, kw_only=True):
    """Pods of their own: the webhook."""

    replica_count: Replicas | UnsetType = UNSET
    image: DigestImage | UnsetType = UNSET


class Cainjector(Part, frozen=True, kw_only=True):
    """``cainjector``: puts the authority into webhook configurations; needed by webhooks with our certificates."""

    enabled: bool = True


class StartupCheck(Pod, frozen=True, kw_only=True):
    """``startupapicheck``: a job after the installation that waits until the webhook answers."""

    enabled: bool = True
    image: DigestImage | UnsetType = UNSET


class AcmeSolver(ClosedValues, frozen=True, kw_only=True):
    image: DigestImage


class CertManagerValues(Pod, frozen=True, kw_only=True):
    """``cert-manager``."""

    crds: Crds = Crds()
    for_all: Global | UnsetType = field(default=UNSET, name="global")
    replica_count: Replicas | UnsetType = UNSET
    image: DigestImage | UnsetType = UNSET
    service_account: Account | UnsetType = UNSET
    enable_certificate_owner_ref: bool | UnsetType = UNSET
    prometheus: Prometheus | UnsetType = UNSET
    webhook: Part | UnsetType = UNSET
    cainjector: Cainjector | UnsetType = UNSET
    startupapicheck: StartupCheck | UnsetType = UNSET
    acmesolver: AcmeSolver | UnsetType = UNSET
