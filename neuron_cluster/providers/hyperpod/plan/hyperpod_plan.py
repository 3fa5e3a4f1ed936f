"""The section ``hyperpod``, completely decided."""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, ClassVar, Protocol

from msgspec import Struct

from local_kubernetes.model.node_recovery import NodeRecovery
from neuron_cluster.lock.inputs import ProviderLockInputs
from neuron_cluster.plan.address_plan import AddressNeed
from neuron_cluster.plan.generated_name import GeneratedName
from neuron_cluster.plan.limit_use import Use
from neuron_cluster.plan.node_group_plan import NodeGroupPlan
from neuron_cluster.plan.provider_plan import ProviderPlan
from neuron_cluster.providers.hyperpod.plan.task_governance_plan import TaskGovernancePlan

if TYPE_CHECKING:
    from neuron_cluster.catalog.catalog import Catalog
    from neuron_cluster.catalog.pod_permission import PolicyStatement
    from neuron_cluster.config.source_map import KeyPath
    from neuron_cluster.plan.compute_group_plan import ImagePlan
    from neuron_cluster.plan.job_priority import JobPriority
    from neuron_cluster.plan.machine_plan import MachinePlan
    from neuron_cluster.plan.network_plan import SubnetTier, ZonePlan
    from neuron_cluster.table import Table


class SoftwareUpdatesPlan(Struct, frozen=True):
    """Scheduled updates to the newest AMI."""

    schedule: str
    batch_percent: int
    wait_seconds: int
    rollback_alarms: tuple[str, ...] = ()
    """Names of the CloudWatch alarms that take an update back."""


class InstanceGroupPlan(Protocol):
    """An instance group of either orchestrator."""

    @property
    def path(self) -> KeyPath: ...

    @property
    def name(self) -> str: ...

    @property
    def physical_name(self) -> str: ...

    @property
    def machine(self) -> MachinePlan: ...

    @property
    def image(self) -> ImagePlan: ...

    @property
    def zone_ids(self) -> tuple[str, ...]: ...

    @property
    def desired(self) -> int: ...

    @property
    def min_instances(self) -> int:
        """Instances without which a group that grows goes back to its previous number."""
        ...

    @property
    def training_plan_arn(self) -> str | None: ...

    @property
    def extra_volume_gib(self) -> int | None: ...

    @property
    def is_spot(self) -> bool: ...


class HyperPodGroupPlan(NodeGroupPlan, frozen=True, kw_only=True):
    """An instance group whose nodes join the EKS cluster."""

    noun = "instance group"
    is_sold_by_ec2 = False

    physical_name: str
    """``<name>-<8 hex>``: changes with whatever HyperPod fixes at creation, so that a replacement never collides."""
    is_repaired: bool = False
    """Whether HyperPod reboots or replaces its nodes."""
    has_job_resume: bool = False
    """Whether the cluster has the operator of jobs that HyperPod resumes."""
    min_instances: int = 0
    """Instances without which a group that grows goes back to its previous number."""
    deep_health_checks: tuple[str, ...] = ()
    """In the API's words."""
    training_plan_arn: str | None = None
    extra_volume_gib: int | None = None
    software_updates: SoftwareUpdatesPlan | None = None

    @property
    def recovery(self) -> NodeRecovery | None:
        """None with ``node_recovery: none``: a failed node gets a label, and stays
        (https://docs.aws.amazon.com/sagemaker/latest/dg/sagemaker-hyperpod-eks-resiliency-node-recovery.html)."""
        if not self.is_repaired:
            return None
        checks = "hyperpod_deep_health_checks" if self.deep_health_checks else None
        return NodeRecovery(
            service="HyperPod", after="hyperpod_node_recovery", replaces_failed_devices=True, checks=checks
        )

    @property
    def resumes_jobs(self) -> bool:
        return self.has_job_resume

    @property
    def is_spot(self) -> bool:
        return self.machine.purchase.kind == "spot"


class HyperPodPlan(ProviderPlan, frozen=True, kw_only=True):
    """One HyperPod cluster of either orchestrator."""

    orchestrator: ClassVar[str]
    scheduler: ClassVar[str]
    """Name of the one that places workloads on its groups."""

    name: str
    zone_id: str
    """Zone of the subnet that the cluster itself has; each group has one of its own."""
    has_recovery: bool
    is_continuous: bool
    role_policies: Mapping[str, str]
    """AWS managed policies of the execution role, each with the reason for it."""
    role_statements: tuple[PolicyStatement, ...]
    """Statements of its inline policy."""
    script_bucket: str
    """Name of the bucket of the life cycle scripts."""

    def has_scheduler(self, name: str) -> bool:
        return name == self.scheduler

    @property
    def instance_groups(self) -> Sequence[InstanceGroupPlan]:
        """All of the cluster, in the order of its template."""
        raise NotImplementedError

    def generated_names(self) -> Iterator[GeneratedName]:
        yield GeneratedName(("name",), "the HyperPod cluster", self.name, "hyperpod_cluster_name")
        for group in self.instance_groups:
            path = (*group.path, "name")
            yield GeneratedName(path, f"the instance group {group.name}", group.physical_name, "hyperpod_group_name")

    def own_buckets(self) -> Iterator[str]:
        yield self.script_bucket

    def limit_uses(self) -> Iterator[Use]:
        path = (*self.path, "groups")
        instances = sum(group.desired for group in self.instance_groups)
        yield Use("hyperpod_groups", path, "the HyperPod cluster", len(self.instance_groups))
        yield Use("hyperpod_cluster_instances", path, "the HyperPod cluster", instances)
        yield Use("hyperpod_instances", path, "this HyperPod cluster", instances)
        spot = sum(group.desired for group in self.instance_groups if group.is_spot)
        if spot:
            yield Use("hyperpod_spot_instances", path, "this HyperPod cluster", spot)


class HyperPodOnEksPlan(HyperPodPlan, frozen=True, kw_only=True):
    """A cluster whose nodes join the EKS cluster of the environment."""

    orchestrator, scheduler = "EKS", "kubernetes"

    groups: tuple[HyperPodGroupPlan, ...]
    life_cycle_script: str
    """Text of the script that each node runs once it has started."""
    task_governance: TaskGovernancePlan | None = None
    """None: quotas of teams are those of the toolkit's Kueue."""

    @property
    def instance_groups(self) -> tuple[HyperPodGroupPlan, ...]:
        return self.groups

    @property
    def compute_groups(self) -> tuple[HyperPodGroupPlan, ...]:
        return self.groups

    def plan_tables(self, written: Container[tuple[str | int, ...]], catalog: Catalog) -> Sequence[Table]:
        from neuron_cluster.providers.hyperpod.report.hyperpod_page import on_eks  # `validate` has no use of it
        from neuron_cluster.report.marks import Marks

        del catalog
        return on_eks(self, Marks(written))

    def lock_inputs(self, catalog: Catalog) -> ProviderLockInputs:
        del catalog
        return ProviderLockInputs(addons=(self.task_governance.addon.name,) if self.task_governance is not None else ())

    def address_needs(self, tier: SubnetTier, zone: ZonePlan, catalog: Catalog) -> Iterator[AddressNeed]:
        """None in addition to those of its nodes, which the plan of the Kubernetes cluster counts."""
        del tier, zone, catalog
        yield from ()

    def generated_names(self) -> Iterator[GeneratedName]:
        yield from super().generated_names()
        for group in self.groups:
            for key, value in group.labels.items():
                yield GeneratedName((*group.path, "name"), f"the label {key}", value, "kubernetes_label_value")
        if self.task_governance is not None:
            yield from self.task_governance.generated_names()

    def job_priorities(self) -> Iterator[JobPriority]:
        if self.task_governance is not None:
            yield from self.task_governance.job_priorities()
