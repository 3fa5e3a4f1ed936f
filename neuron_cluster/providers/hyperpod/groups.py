"""Instance groups of HyperPod in the file, with the defaults of their absent keys."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from msgspec.structs import replace

from neuron_cluster.config.machine import EfaLayout, LocalDisks, Placement
from neuron_cluster.providers.hyperpod.config.capacity import TrainingPlan
from neuron_cluster.providers.hyperpod.config.cluster import HyperPod, NodeRecovery
from neuron_cluster.providers.hyperpod.config.group import InstanceCount, InstanceGroup
from neuron_cluster.providers.hyperpod.config.slurm import CONTROLLER, LOGIN
from neuron_cluster.resolved.cluster_groups import resolve_group
from neuron_cluster.resolved.compute_group import ClusterGroup
from neuron_cluster.resolved.machine_image import MachineImage
from neuron_cluster.resolved.neuron_host import NeuronHost
from neuron_cluster.resolved.scaling import Scaling, ScalingKind
from neuron_cluster.schedulers.kubernetes.node_group import KubernetesNodeGroup

if TYPE_CHECKING:
    from neuron_cluster.catalog.catalog import Catalog
    from neuron_cluster.catalog.endpoint import EndpointService
    from neuron_cluster.catalog.instance_type import InstanceType
    from neuron_cluster.config.environment_config import EnvironmentConfig
    from neuron_cluster.config.source_map import KeyPath
    from neuron_cluster.config.taint import Taint
    from neuron_cluster.lock.model import Lock
    from neuron_cluster.resolved.resolved_environment import ResolvedEnvironment

IMAGE_FAMILY = "hyperpod"
"""Name of HyperPod's AMI, which SageMaker chooses by the orchestrator."""
PATH = ("hyperpod", "groups")


class HyperPodInstances(ClusterGroup, frozen=True):
    """An instance group of either orchestrator."""

    noun = "instance group"
    machine_noun = "node"
    waits_for_block = True
    """Nodes of a training plan start when the plan does."""
    is_sold_by_ec2 = False
    seller = "HyperPod"

    spec: InstanceGroup
    has_recovery: bool = True
    has_job_resume: bool = False
    has_task_governance: bool = False
    shares_idle_resources: bool = True

    @classmethod
    def needs_endpoint(cls, service: EndpointService) -> bool:
        """Also those of ``used_by``: the bootstrap of a node calls them before the node is ready."""
        return cls.endpoint_user in (*service.required_by, *service.used_by)

    @property
    def efa_layout(self) -> EfaLayout:
        """An address on every network card.

        Source: https://docs.aws.amazon.com/sagemaker/latest/dg/sagemaker-hyperpod-prerequisites.html.
        """
        has_efa = self.instance_type is not None and bool(self.instance_type.efa_interfaces)
        return EfaLayout.EFA_ALL if has_efa else EfaLayout.OFF

    @property
    def placement(self) -> Placement:
        """None of ours: HyperPod places the instances of a group."""
        return Placement.NONE

    @property
    def local_disks(self) -> LocalDisks:
        """None of ours: the AMI joins them for /opt/sagemaker."""
        return LocalDisks.NONE

    @property
    def has_node_repair(self) -> bool:
        """HyperPod replaces Neuron nodes; CPU nodes it does not replace."""
        return self.is_neuron and self.has_recovery

    @property
    def capacity_display_name(self) -> str:
        return "a training plan" if self.training_plan is not None else super().capacity_display_name

    @property
    def training_plan(self) -> TrainingPlan | None:
        """The training plan that its instances run in, if any."""
        return self.spec.capacity if isinstance(self.spec.capacity, TrainingPlan) else None

    def neuron_host(self, instance_type: InstanceType, catalog: Catalog, lock: Lock | None) -> NeuronHost:
        """Returns the host with an image whose driver no source names."""
        del catalog, lock
        release = self.spec.ami_release
        path = (*self.path, "instance_type" if release is None else "ami_release")
        image = "the newest HyperPod AMI" if release is None else f"ami_release {release}"
        return NeuronHost(path, self.name, instance_type, image, None, has_published_driver=False)


class HyperPodGroup(HyperPodInstances, KubernetesNodeGroup, frozen=True):
    """An instance group whose nodes join the EKS cluster."""

    endpoint_user = "hyperpod"
    service = "HyperPod"
    label_value_limit = "hyperpod_label_value"
    taints_limit = "hyperpod_taints"
    repair_display_name = "HyperPod node recovery"
    has_auto_scaling_group = False

    @classmethod
    def has_nodes_of(cls, version: str, catalog: Catalog) -> bool:
        row = catalog.hyperpod_kubernetes.get(version)
        return row is not None and row.doubt_about("name") is None

    @property
    def labels(self) -> Mapping[str, str]:
        return self.spec.labels

    @property
    def has_neuron_taint(self) -> bool:
        """Not with deep health checks, which HyperPod has in groups without taints only."""
        return self.is_neuron and not self.spec.deep_health_checks

    @property
    def taints(self) -> Sequence[Taint]:
        return self.spec.taints

    @property
    def network_topology(self) -> bool:
        return self.spec.network_topology

    @property
    def is_governed(self) -> bool:
        """Quotas of teams are of groups with Neuron devices."""
        return self.has_task_governance and self.is_neuron

    @property
    def resumes_jobs(self) -> bool:
        return self.has_job_resume

    @property
    def needs_monitoring_agent(self) -> bool:
        """HyperPod has an agent of its own, and that of EKS leaves its nodes alone."""
        return False


class HyperPodSlurmGroup(HyperPodInstances, frozen=True):
    """An instance group of a Slurm cluster: the controller, the login group, or one that runs jobs."""

    endpoint_user = "hyperpod_slurm"

    @property
    def runs_jobs(self) -> bool:
        return self.path[:-1] == PATH


def resolve_groups(config: EnvironmentConfig, catalog: Catalog) -> Iterator[HyperPodInstances]:
    """The instance groups in the order of the file, those without jobs first; none without a ``hyperpod`` section."""
    hyperpod = config.section(HyperPod)
    if hyperpod is None:
        return
    governance = hyperpod.task_governance
    kind = HyperPodGroup if hyperpod.slurm is None else HyperPodSlurmGroup
    for path, spec in (
        *_without_jobs(hyperpod, config),
        *(((*PATH, at), spec) for at, spec in enumerate(hyperpod.groups)),
    ):
        group = resolve_group(
            kind,
            path,
            spec,
            MachineImage(IMAGE_FAMILY, None, None),
            config,
            catalog,
            name=spec.name,
            team=spec.team,
            queue=spec.queue,
            has_recovery=hyperpod.node_recovery is NodeRecovery.AUTOMATIC,
            has_job_resume=hyperpod.job_auto_resume,
            has_task_governance=governance is not None,
            shares_idle_resources=governance is None or governance.idle_resource_sharing,
        )
        # Nothing but a deploy changes the number; what HyperPod may lack of it is not of the file.
        scaling = Scaling(ScalingKind.FIXED, spec.count.desired, spec.count.desired, spec.count.desired)
        yield replace(group, zone_ids=group.zone_ids[:1], scaling=scaling)


def _without_jobs(hyperpod: HyperPod, config: EnvironmentConfig) -> Iterator[tuple[KeyPath, InstanceGroup]]:
    """Controller and login group as instance groups, in the zone of the file system that they mount if there is one."""
    if hyperpod.slurm is None:
        return
    lustre = config.storage.lustre if config.storage is not None else None
    # Rule E4003 reports a zone that the network does not have.
    has_zone = lustre is not None and lustre.availability_zone in config.network.zone_ids
    controller, login = hyperpod.slurm.controller, hyperpod.slurm.login
    for name, given, desired in ((CONTROLLER, controller, 1), (LOGIN, login, login.count.desired)):
        yield (
            ("hyperpod", "slurm", name),
            InstanceGroup(
                name=name,
                instance_type=given.instance_type,
                count=InstanceCount(desired=desired),
                extra_volume=given.extra_volume,
                availability_zone=lustre.availability_zone if lustre is not None and has_zone else None,
            ),
        )


def hyperpod_instances(environment: ResolvedEnvironment) -> tuple[HyperPodInstances, ...]:
    """Returns the instance groups of either orchestrator."""
    return environment.groups_of(HyperPodInstances)


def hyperpod_groups(environment: ResolvedEnvironment) -> tuple[HyperPodGroup, ...]:
    """Returns the instance groups whose nodes join the EKS cluster, in the order of the file."""
    return environment.groups_of(HyperPodGroup)


def slurm_groups(environment: ResolvedEnvironment) -> tuple[HyperPodSlurmGroup, ...]:
    """Returns the instance groups of a Slurm cluster: controller, login, then those of the file in its order."""
    return environment.groups_of(HyperPodSlurmGroup)
