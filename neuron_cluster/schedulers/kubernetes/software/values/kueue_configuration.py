"""Kueue's own configuration, which its chart accepts as one text.

Source: kubernetes-sigs/kueue@8eab687 (v0.19.2): apis/config/v1beta2/configuration_types.go. The text replaces the
chart's default as a whole, so the addresses that the chart's probes and Services rely on are part of it.
"""

import json
from collections.abc import Mapping
from typing import Literal

from msgspec import UNSET, UnsetType

from neuron_cluster.schedulers.kubernetes.software.values.closed_values import ClosedValues
from neuron_cluster.schedulers.kubernetes.software.values.pod_settings import Duration, Quantity

Framework = Literal[
    "batch/job",
    "jobset.x-k8s.io/jobset",
    "kubeflow.org/mpijob",
    "kubeflow.org/jaxjob",
    "kubeflow.org/paddlejob",
    "kubeflow.org/pytorchjob",
    "kubeflow.org/tfjob",
    "kubeflow.org/xgboostjob",
    "trainer.kubeflow.org/trainjob",
    "leaderworkerset.x-k8s.io/leaderworkerset",
    "ray.io/rayjob",
    "ray.io/raycluster",
    "ray.io/rayservice",
    "sparkoperator.k8s.io/sparkapplication",
    "workload.codeflare.dev/appwrapper",
    "pod",
    "deployment",
    "statefulset",
]
"""Kinds of workloads that Kueue can hold back and admit. Those of pods also need a namespace selector."""

NOT_COUNTED = ("cpu", "memory", "ephemeral-storage", "hugepages-")
"""Resources that the quotas of the queues leave out: they follow from the node, and jobs need not request them."""


class Health(ClosedValues, frozen=True, kw_only=True):
    health_probe_bind_address: str = ":8081"


class Metrics(ClosedValues, frozen=True, kw_only=True):
    bind_address: str = ":8443"
    enable_cluster_queue_resources: bool | UnsetType = UNSET


class Webhook(ClosedValues, frozen=True, kw_only=True):
    port: int = 9443


class LeaderElection(ClosedValues, frozen=True, kw_only=True):
    leader_elect: bool = True
    resource_name: str = "c1f6bfd2.kueue.x-k8s.io"


class Controller(ClosedValues, frozen=True, kw_only=True):
    """How many objects of a kind are worked on at once, by ``Kind.group``."""

    group_kind_concurrency: dict[str, int]


class ClientConnection(ClosedValues, frozen=True, kw_only=True):
    qps: int
    burst: int


class RequeuingStrategy(ClosedValues, frozen=True, kw_only=True):
    """After a job was sent back. Without a count it is retried without end."""

    timestamp: Literal["Eviction", "Creation"] | UnsetType = UNSET
    backoff_limit_count: int | UnsetType = UNSET
    backoff_base_seconds: int | UnsetType = UNSET
    backoff_max_seconds: int | UnsetType = UNSET


class WaitForPodsReady(ClosedValues, frozen=True, kw_only=True):
    """All pods of a job or none: what is not ready in time gives its quota back. There is no ``enable`` any more."""

    timeout: Duration
    recovery_timeout: Duration | UnsetType = UNSET
    block_admission: bool | UnsetType = UNSET
    requeuing_strategy: RequeuingStrategy | UnsetType = UNSET


class LabelExpression(ClosedValues, frozen=True, kw_only=True):
    key: str
    operator: Literal["In", "NotIn", "Exists", "DoesNotExist"]
    values: tuple[str, ...] | UnsetType = UNSET

    def holds_for(self, value: str | None) -> bool:
        """``value`` is that of the label, None without it."""
        match self.operator:
            case "In":
                return value in (self.values or ())
            case "NotIn":
                return value not in (self.values or ())
            case "Exists":
                return value is not None
            case "DoesNotExist":
                return value is None


class LabelSelector(ClosedValues, frozen=True, kw_only=True):
    match_labels: dict[str, str] | UnsetType = UNSET
    match_expressions: tuple[LabelExpression, ...] | UnsetType = UNSET

    def matches(self, labels: Mapping[str, str]) -> bool:
        """Whether something with these labels is selected."""
        wanted = (self.match_labels or {}).items()
        return all(labels.get(key) == value for key, value in wanted) and all(
            each.holds_for(labels.get(each.key)) for each in self.match_expressions or ()
        )


class InternalCertManagement(ClosedValues, frozen=True, kw_only=True):
    """On: Kueue makes the certificate of its webhooks itself. Off: cert-manager does."""

    enable: bool


class Integrations(ClosedValues, frozen=True, kw_only=True):
    frameworks: tuple[Framework, ...]
    label_keys_to_copy: tuple[str, ...] | UnsetType = UNSET


class FairSharing(ClosedValues, frozen=True, kw_only=True):
    preemption_strategies: tuple[Literal["LessThanOrEqualToFinalShare", "LessThanInitialShare"], ...]


class ResourceTransformation(ClosedValues, frozen=True, kw_only=True):
    """Counts one resource as others, so that pods that ask for cores and pods that ask for devices share a quota."""

    input: str
    strategy: Literal["Replace", "Retain"] | UnsetType = UNSET
    outputs: dict[str, Quantity]


class DeviceClassMapping(ClosedValues, frozen=True, kw_only=True):
    """The quota's name for devices that pods claim by these device classes (DRA)."""

    name: str
    device_class_names: tuple[str, ...]


class QuotaResources(ClosedValues, frozen=True, kw_only=True):
    exclude_resource_prefixes: tuple[str, ...] | UnsetType = UNSET
    transformations: tuple[ResourceTransformation, ...] | UnsetType = UNSET
    device_class_mappings: tuple[DeviceClassMapping, ...] | UnsetType = UNSET


class WorkloadRetention(ClosedValues, frozen=True, kw_only=True):
    after_finished: Duration | UnsetType = UNSET
    after_deactivated_by_kueue: Duration | UnsetType = UNSET


class ObjectRetentionPolicies(ClosedValues, frozen=True, kw_only=True):
    workloads: WorkloadRetention


class KueueConfiguration(ClosedValues, frozen=True, kw_only=True):
    """The whole configuration. ``managed_jobs_namespace_selector`` selects the namespaces that Kueue manages."""

    api_version: Literal["config.kueue.x-k8s.io/v1beta2"] = "config.kueue.x-k8s.io/v1beta2"
    kind: Literal["Configuration"] = "Configuration"
    health: Health = Health()
    metrics: Metrics = Metrics()
    webhook: Webhook = Webhook()
    leader_election: LeaderElection = LeaderElection()
    controller: Controller | UnsetType = UNSET
    client_connection: ClientConnection | UnsetType = UNSET
    internal_cert_management: InternalCertManagement | UnsetType = UNSET
    wait_for_pods_ready: WaitForPodsReady | UnsetType = UNSET
    manage_jobs_without_queue_name: bool | UnsetType = UNSET
    managed_jobs_namespace_selector: LabelSelector
    integrations: Integrations
    fair_sharing: FairSharing | UnsetType = UNSET
    resources: QuotaResources | UnsetType = UNSET
    object_retention_policies: ObjectRetentionPolicies | UnsetType = UNSET
    feature_gates: dict[str, bool] | UnsetType = UNSET

    def as_text(self) -> str:
        """Returns JSON for the chart, which reads YAML: JSON is YAML, and none of its values can have another type."""
        return json.dumps(self.as_values(), indent=2)
