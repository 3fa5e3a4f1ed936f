"""The facts of a cluster that its components read."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec import Struct, field
from msgspec.structs import replace

from local_kubernetes.model.placement import Taint, toleration_for, toleration_of_any_value
from neuron_cluster.catalog.catalog import Catalog
from neuron_cluster.config.source_map import KeyPath
from neuron_cluster.plan.namespace_plan import WorkloadNamespacePlan
from neuron_cluster.plan.node_group_plan import NodeGroupPlan
from neuron_cluster.plan.team import Team
from neuron_cluster.schedulers.kubernetes.software.hyperpod_nodes import health_tolerations, is_hyperpod
from neuron_cluster.schedulers.kubernetes.software.image_source import ImageSource
from neuron_cluster.schedulers.kubernetes.software.values.pod_settings import TolerationValues


class LustreVolume(Struct, frozen=True):
    """The Lustre file system as a cluster mounts it."""

    capacity_gib: int
    folder: str
    """The folder that ``sync`` mirrors, without slashes at its ends; empty for the root."""
    namespaces: tuple[str, ...]
    """Namespaces that have a claim, in the order of the file."""


class ComponentContext(Struct, frozen=True, kw_only=True):
    """The cluster as its components see it: names, versions, node groups, and which other components are enabled."""

    addons_path: KeyPath
    """Key of the flags of the components."""
    cluster: str
    region: str
    account: str = ""
    """The account whose ECR has the charts that are built from a commit."""
    kubernetes_version: str
    node_groups: tuple[NodeGroupPlan, ...]
    enabled: tuple[str, ...]
    """Names of the enabled components, in the order of the model."""
    catalog: Catalog
    chart_values: Mapping[str, Mapping[str, Any]]
    """``chart_values`` of the cluster's section."""
    namespaces: tuple[WorkloadNamespacePlan, ...] = ()
    """Namespaces of the key ``namespaces`` and of teams, and ``default``."""
    teams: tuple[Team, ...] = ()
    """Teams of the key ``teams``."""
    container_logs: bool = True
    """``observability.container_logs``."""
    neuron_sdk: str
    pods_ready_minutes: int = 180
    """``pods_ready_minutes`` of the cluster's section."""
    has_bucket: bool = False
    has_express: bool = False
    """Whether there is a checkpoint bucket."""
    lustre: LustreVolume | None = None
    """The file system of ``storage.lustre``; None without one."""
    efs_access_points: tuple[str, ...] = ()
    """Names of those of ``storage.efs``; empty without one."""
    s3_files_prefix: str | None = None
    """Prefix of ``storage.s3_files`` with its slash; None without one."""
    images: ImageSource = ImageSource()
    containers: tuple[str, ...] = ()
    """Images of ``neuron.containers``, as nodes pull them without a cache."""
    alert_topic: str | None = None
    """ARN of the SNS topic that Alertmanager notifies."""
    alerts: Mapping[str, Any] = field(default_factory=dict)
    """Thresholds, as values below ``alerts`` of charts/neuron-monitor; empty where Prometheus does not watch."""

    def has(self, component: str) -> bool:
        """Whether a component is enabled."""
        return component in self.enabled

    def namespaces_of(self, queue: str, team: str | None = None) -> tuple[str, ...]:
        """Returns the namespaces of a team, or of none, whose jobs may wait in this queue, in the order of the file."""
        return tuple(each.name for each in self.namespaces if each.team == team and each.may_use(queue))

    @property
    def neuron_groups(self) -> tuple[NodeGroupPlan, ...]:
        """Node groups with Neuron devices."""
        return tuple(group for group in self.node_groups if group.machine.is_neuron)

    @property
    def is_governed(self) -> bool:
        """Whether task governance of HyperPod admits jobs."""
        return any(group.is_governed for group in self.node_groups)

    @property
    def has_hyperpod(self) -> bool:
        """Whether a node group is one of SageMaker HyperPod."""
        return any(is_hyperpod(group) for group in self.node_groups)

    @property
    def resumes_jobs(self) -> bool:
        """Whether the service of a node group resumes PyTorchJobs, which then need their operator."""
        return any(group.resumes_jobs for group in self.node_groups)

    @property
    def plugin_tolerations(self) -> tuple[TolerationValues, ...]:
        """Tolerations of the device plugins: a HyperPod node that is checked has its devices too."""
        of_health = tuple(TolerationValues.read(each.as_manifest()) for each in health_tolerations(self.node_groups))
        return (*self.neuron_tolerations, *of_health)

    @property
    def neuron_tolerations(self) -> tuple[TolerationValues, ...]:
        """A toleration for every taint of a Neuron group, or a plugin would not run where it is needed."""
        return tolerations_of(self.neuron_groups)


def tolerations_of_group(group: NodeGroupPlan, groups: tuple[NodeGroupPlan, ...]) -> tuple[TolerationValues, ...]:
    """Returns the tolerations of one of the ``groups``: with the value of a taint whose key other groups have with
    another value, as of ``team=a`` and ``team=b``, or its pods would tolerate the nodes of another team."""
    values: dict[tuple[str, str], set[str]] = {}
    for taint in (taint for each in groups for taint in each.lasting_taints):
        values.setdefault((taint.key, taint.effect), set()).add(taint.value)
    shared = [taint for taint in group.lasting_taints if len(values[(taint.key, taint.effect)]) > 1]
    exact = (toleration_for(Taint(each.key, each.value, each.kubernetes_effect)) for each in shared)
    others = tuple(taint for taint in group.lasting_taints if taint not in shared)
    return (
        *tolerations_of((replace(group, taints=others),)),
        *(TolerationValues.read(each.as_manifest()) for each in exact),
    )


def tolerations_of(groups: tuple[NodeGroupPlan, ...]) -> tuple[TolerationValues, ...]:
    """One for every taint of these groups, whatever its value; sorted."""
    taints = {(taint.key, taint.kubernetes_effect) for group in groups for taint in group.lasting_taints}
    tolerations = (toleration_of_any_value(Taint(key, "", effect)) for key, effect in sorted(taints))
    return tuple(TolerationValues.read(each.as_manifest()) for each in tolerations)
